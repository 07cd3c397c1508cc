import Machine
import Trace

/// Runs a program as far as a person has stepped it. If the new choices begin with all those so far, the run continues
/// where it has paused. Otherwise, as after a step back, the program is started again.
///
/// Must be used while the process has one thread: it forks.
package final class Stepper {
    private let plan: RunPlan
    private var supervisor: Supervisor?
    private var last: SteppedRun?
    /// The number of times that the present run was continued.
    private var continuations = 0
    /// The number of times that the program was started.
    private(set) var starts = 0

    /// A limit, because each continuation has its own lane in the recording.
    private static let mostContinuations = 1000

    package init(_ plan: RunPlan) {
        self.plan = plan
    }

    /// Runs the program as far as the plan says, and returns what could happen at each of its decisions.
    package func step(_ steps: StepPlan) throws(SupervisionFailed) -> SteppedRun {
        let next = try continued(steps)
        let run = if let next { next } else { try begun(steps) }
        last = run
        return run
    }

    private func begun(_ steps: StepPlan) throws(SupervisionFailed) -> SteppedRun {
        // Ends the waiting copy first.
        supervisor = nil
        continuations = 0
        starts += 1
        var plan = plan
        plan.mode = .step(steps)
        var fresh = try Supervisor(plan)
        let run = try fresh.step()
        supervisor = fresh
        return run
    }

    /// The run after it was continued. Nil: it cannot be, because the plan does not begin with all choices so far or
    /// does not pause, because no copy of the process waits, or because it was continued too often.
    private func continued(_ steps: StepPlan) throws(SupervisionFailed) -> SteppedRun? {
        guard steps.then == .pause, let last, last.isPaused, continuations < Self.mostContinuations else { return nil }
        let choices = steps.schedule.choices
        guard choices.starts(with: last.schedule.choices) else { return nil }
        continuations += 1
        self.last = nil
        return try supervisor?.continueStep(Array(choices[last.schedule.choices.count...]))
    }
}

/// How far a run that a person steps through goes.
package struct StepPlan: Sendable {
    /// Which thread steps after the schedule's last choice.
    package enum Continuation: Equatable, Sendable {
        /// None: the run pauses there.
        case pause
        /// The last thread while it can, otherwise the enabled one with the lowest number, to the end.
        case byDefault
        case random(seed: UInt64)
    }

    package var schedule: Schedule
    package var then: Continuation

    package init(_ schedule: Schedule, then: Continuation = .pause) {
        self.schedule = schedule
        self.then = then
    }
}

/// A controlled run, up to where a person has stepped it, or to its end.
package struct SteppedRun: Sendable {
    /// If the run has paused, the events after the last decision are what each thread would do next.
    package let trace: TraceDocument
    package let schedule: Schedule
    package let moments: MomentList
    /// Whether it waits for a choice at the last of its decisions.
    package let isPaused: Bool
    /// Why the run could not follow the schedule. Nil: it could.
    package let misfit: String?
}
