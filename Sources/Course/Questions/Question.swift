import Machine

/// A question about a program, whose answer the explorer computes.
package struct Question: Sendable {
    package enum Kind: Equatable, Sendable {
        /// Which values an expression can have at the end of a run, or where a thread is about to step.
        case values(String, at: ProgramPlace?)
        /// Which conditions can be true at the end of a run.
        case possibleEnd
        /// Which conditions can be true in some state of some run.
        case possibleState
        /// How a run can end.
        case ends
        /// Whether a run can end so: yes or no.
        case can(String)
        /// Which threads can step after this schedule.
        case steps(after: String)
    }

    /// A step of a thread: the line of the program that has this text.
    package struct ProgramPlace: Equatable, Sendable {
        package let text: String
        /// `adder[0]`
        package let thread: String
    }

    package let program: LessonProgram
    package let kind: Kind
    /// The memory model of the runs that it is about.
    package let model: MemoryModel
    /// The question, as a sentence of Markdown.
    package let text: String
    package let options: [String]
    /// Markdown: why it is so, for after the answer.
    package let reason: String?
    /// Its line in its lesson's file.
    package let line: Int

    /// Whether the options are expressions of the program.
    package var isCode: Bool {
        switch kind {
        case .values, .possibleEnd, .possibleState, .steps: true
        case .ends, .can: false
        }
    }

    /// The command that follows a schedule of an answer.
    package func replay(_ schedule: String) -> String {
        let option = model == .sc ? "" : " --model \(model.rawValue)"
        return "threadlab replay \(program.file)\(option) --schedule \(schedule)"
    }

    /// Whether there is one right option by the question's form.
    package var isYesOrNo: Bool { if case .can = kind { true } else { false } }
}
