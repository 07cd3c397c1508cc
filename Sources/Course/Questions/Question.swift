import Machine

/// A question about a program. The explorer computes its answer.
package struct Question: Sendable {
    package enum Kind: Equatable, Sendable {
        /// Which values can an expression have at the end of a run, or where a thread is about to step?
        case values(String, at: ProgramPlace?)
        /// Which conditions can be true at the end of a run?
        case possibleEnd
        /// Which conditions can be true in some state of some run?
        case possibleState
        /// How can a run end?
        case ends
        /// Can a run end in this way? Yes or no.
        case can(String)
        /// Which threads can step after this schedule?
        case steps(after: String)
    }

    /// A place in a program: a thread that is about to execute the line with this text.
    package struct ProgramPlace: Equatable, Sendable {
        package let text: String
        /// The name of the thread: `adder[0]`.
        package let thread: String
    }

    package let program: LessonProgram
    package let kind: Kind
    package let model: MemoryModel
    /// The question, as a sentence of Markdown.
    package let text: String
    package let options: [String]
    /// Markdown: the explanation that is shown after the answer.
    package let reason: String?
    /// The line of the question in its lesson's file.
    package let line: Int

    /// Whether the options are code: values, conditions or threads of the program.
    package var isCode: Bool {
        switch kind {
        case .values, .possibleEnd, .possibleState, .steps: true
        case .ends, .can: false
        }
    }

    /// The command that replays a schedule of an answer.
    package func replay(_ schedule: String) -> String {
        let option = model == .sc ? "" : " --model \(model.rawValue)"
        return "threadlab replay \(program.file)\(option) --schedule \(schedule)"
    }

    /// Whether the form of the question allows only one right option.
    package var isYesOrNo: Bool { if case .can = kind { true } else { false } }
}
