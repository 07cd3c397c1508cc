import Authoring
import Exploration
import LabExecution
import Machine
import Supervision
import Text
import Trace

/// Judges the schedules of an exercise of the kind `break`: does the program do what the goal says?
package struct ScheduleJudge {
    package let goal: Exercise.Goal
    /// The program. For a state as the goal, the only state that it must show.
    package let runnable: any Runnable

    private static let mostStates = 200_000

    /// How the program is called in reports.
    ///
    /// - Parameter file: the name of the learner's copy.
    package init(_ exercise: Exercise, file: String) throws(UnansweredQuestion) {
        guard let goal = exercise.goal else {
            throw UnansweredQuestion(message: "\(exercise.path) has no goal")
        }
        self.goal = goal
        var version = ProgramVersion(exercise.task, name: file)
        if case .state(let condition) = goal {
            version.removeClaims()
            version.add(["expect possible \(condition)"])
        }
        do {
            runnable = try version.runnable()
        } catch {
            throw UnansweredQuestion(message: "\(exercise.path)/task.lab: \(error.message)")
        }
        guard case .outcome(let word) = goal else { return }
        if OutcomeKind(word: word) == nil {
            throw UnansweredQuestion(message: "\(exercise.path): '\(word)' is not a way in which a run ends")
        }
    }

    /// The threads that exist at the beginning, by their numbers in schedules.
    package var threads: [String] { runnable.states.flatMap { ScheduleWalk($0, Schedule()) }?.names ?? [] }

    /// Whether the present state is the one to be reached. Only for a state as the goal.
    package func isReached(in subject: any Subject) -> Bool {
        if case .state = goal { runnable.seenStates(of: subject) == [0] } else { false }
    }

    package enum Ruling: Sendable {
        /// The goal is reached, after this number of steps.
        case reached(steps: Int)
        /// The run ended otherwise.
        case missed(OutcomeKind?)
        /// Why the schedule cannot be followed, as the end of a sentence.
        case misfit(String)
    }

    /// Must be called while the process has one thread: it forks.
    package func judge(_ schedule: Schedule) throws -> Ruling {
        switch goal {
        case .state:
            guard let subject = runnable.states else { return .misfit("it has no states") }
            var steps = -1
            var reached: Int?
            let walk = ScheduleWalk(subject, schedule) { subject in
                steps += 1
                if reached == nil, runnable.seenStates(of: subject) == [0] { reached = steps }
            }
            if let reached { return .reached(steps: reached) }
            guard let walk else { return .misfit("a thread in it cannot step where it should") }
            return .missed(walk.verdict == .completed ? .completed : nil)
        case .outcome(let word):
            var plan = RunPlan(runnable, .replay(schedule))
            plan.isSilent = true
            plan.isExamined = true
            let run = try Supervisor.run(plan)
            if let last = run.trace.events.last, last.kind == .runDiverged {
                return .misfit(run.trace.text(of: last) ?? "it asks for a step that is not possible")
            }
            guard let kind = run.trace.outcome?.kind, kind == OutcomeKind(word: word) else {
                return .missed(run.trace.outcome?.kind)
            }
            return .reached(steps: schedule.stepCount)
        }
    }

    /// A shortest schedule that reaches the goal. Nil: none does, or the program is too large to say.
    package func shortest() -> Schedule? {
        guard let subject = runnable.states else { return nil }
        let tour = StateTour(subject, Rules(), most: Self.mostStates, properties: 1) { subject, verdict in
            switch goal {
            case .state: verdict == nil || verdict == .completed ? runnable.seenStates(of: subject) : []
            case .outcome(let word): verdict?.outcome == OutcomeKind(word: word) ? [0] : []
            }
        }
        return tour.schedules[0]
    }
}

extension Schedule {
    /// The schedule in a submission: the lines that are not comments.
    package init(submission text: String) throws(ParseError) {
        let lines = text.split(separator: "\n").map(\.trimmed).filter { !$0.hasPrefix("#") && !$0.isEmpty }
        if lines.isEmpty { self.init() } else { try self.init(parsing: lines.joined()) }
    }
}
