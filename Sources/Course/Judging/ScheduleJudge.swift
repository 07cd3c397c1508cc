import Authoring
import Exploration
import LabExecution
import Machine
import Supervision
import Text
import Trace

/// Judges schedules for an exercise of the kind `break`: whether the program reaches the goal if it follows them.
package struct ScheduleJudge {
    package let goal: Exercise.Goal
    /// The program. If the goal is a state, its claims are replaced by one: that this state is possible.
    package let runnable: any Runnable
    /// The memory model of its runs: the one that the task's claims name, or else sc.
    package var model: MemoryModel { runnable.model }
    /// The deadline of judging. Nil: there is none.
    private let end: Deadline?

    /// The maximum number of states in the search for the shortest schedule.
    private static let mostStates = 200_000

    /// - Parameters:
    ///   - file: the name of the learner's copy, which reports use for the program.
    ///   - end: the deadline of judging.
    package init(_ exercise: Exercise, file: String, until end: Deadline? = nil) throws(UnansweredQuestion) {
        self.end = end
        guard let goal = exercise.goal else {
            throw UnansweredQuestion(message: "\(exercise.path) has no goal")
        }
        self.goal = goal
        var version = ProgramVersion(exercise.task, name: file)
        do {
            let model = try Self.model(of: try version.runnable(), goal)
            if case .state(let condition) = goal {
                version.removeClaims()
                version.add(["expect possible \(condition)"])
            }
            let read = try version.runnable()
            runnable = try model.map { try read.under(claimedModel: $0, alone: true) } ?? read
        } catch let problem as VersionProblem {
            throw UnansweredQuestion(message: "\(exercise.path)/task.lab: \(problem.message)")
        } catch {
            throw UnansweredQuestion(message: "\(exercise.path)/task.lab: \(error)")
        }
        guard case .outcome(let word) = goal else { return }
        if OutcomeKind(word: word) == nil {
            throw UnansweredQuestion(message: "\(exercise.path): '\(word)' is not a way in which a run ends")
        }
    }

    /// The memory model other than sc that the program's claims name. Nil: they name none. They may name only one,
    /// because a schedule is meaningful for one model only: its choices say which writes are read.
    private static func model(
        of program: any Runnable, _ goal: Exercise.Goal
    ) throws(UnsupportedModel) -> MemoryModel? {
        let models = (program as? LabScenario)?.program.claimedModels.filter { $0 != .sc } ?? []
        guard let model = models.first else { return nil }
        guard models.count == 1 else {
            throw UnsupportedModel(
                description:
                    "its claims name \(models.map(\.rawValue).joined(separator: " and ")), and a schedule is for one "
                    + "memory model")
        }
        if case .state = goal {
            throw UnsupportedModel(
                description:
                    "its claims name \(model.rawValue), and 'Goal: state' is for sequentially consistent runs: "
                    + "make the goal an outcome, such as 'claim'")
        }
        return model
    }

    /// A run of the program that follows the schedule.
    package func plan(_ schedule: Schedule) -> RunPlan {
        var plan = RunPlan(runnable, .replay(schedule))
        if model != .sc { runnable.adapt(&plan.rules) }
        plan.isSilent = true
        plan.end = end
        return plan
    }

    /// The names of the threads that exist at the beginning, by their numbers in schedules.
    package var threads: [String] { runnable.states.flatMap { ScheduleWalk($0, Schedule()) }?.names ?? [] }

    /// Whether the current state is the goal. False if the goal is not a state.
    package func isReached(in subject: any Subject) -> Bool {
        // The goal is the only state that the program seeks, so its number is 0.
        if case .state = goal { runnable.seenStates(of: subject) == [0] } else { false }
    }

    package enum Ruling: Sendable {
        /// The goal is reached, after this number of steps.
        case reached(steps: Int)
        /// The goal is not reached. The run ended in this other way, if it is known.
        case missed(OutcomeKind?)
        /// Why the schedule cannot be followed, as the end of a sentence.
        case misfit(String)
    }

    /// Judges a schedule. Must be called while the process has one thread: it forks.
    package func judge(_ schedule: Schedule) throws -> Ruling {
        switch goal {
        case .state:
            guard let subject = runnable.states else { return .misfit("it has no states") }
            // The first call, in the initial state, is before the first step.
            var steps = -1
            var reached: Int?
            let walk = ScheduleWalk(subject, schedule) { subject in
                steps += 1
                if reached == nil, isReached(in: subject) { reached = steps }
            }
            if let reached { return .reached(steps: reached) }
            guard let walk else { return .misfit("a thread in it cannot step where it should") }
            return .missed(walk.verdict == .completed ? .completed : nil)
        case .outcome(let word):
            var plan = plan(schedule)
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

    /// Whether some schedule is known to reach the goal. False: none does, or the program is too large to find out.
    package func isReachable() throws -> Bool {
        guard model != .sc, case .outcome(let word) = goal else { return shortest() != nil }
        var plan = SearchPlan(runnable)
        // The search ignores all other outcomes.
        plan.goal.tolerated = Set(OutcomeKind.allCases.filter { $0 != OutcomeKind(word: word) })
        plan.goal.harmless = []
        let (result, _) = try SearchSupervisor.run(plan, telling: .none)
        return result.findings.contains { $0.kind == OutcomeKind(word: word) }
    }

    /// A shortest schedule that reaches the goal. Nil: none does, the search reached the limit of states or the
    /// deadline, or the memory model is weaker than sc, under which executions are not paths through states.
    package func shortest() -> Schedule? {
        guard model == .sc, let subject = runnable.states else { return nil }
        func isOver() -> Bool { end?.isOver ?? false }
        // Looks for one property of states, with the number 0: that the goal is reached.
        let tour = StateTour(subject, Rules(), most: Self.mostStates, properties: 1, isStopped: isOver) {
            subject, verdict in
            switch goal {
            case .state: verdict == nil || verdict == .completed ? runnable.seenStates(of: subject) : []
            case .outcome(let word): verdict?.outcome == OutcomeKind(word: word) ? [0] : []
            }
        }
        return tour.schedules[0]
    }
}

extension Schedule {
    /// Reads the schedule in a submission: the lines that are not comments.
    package init(submission text: String) throws(ParseError) {
        let lines = text.split(separator: "\n").map(\.trimmed).filter { !$0.hasPrefix("#") && !$0.isEmpty }
        if lines.isEmpty { self.init() } else { try self.init(parsing: lines.joined()) }
    }
}
