import Machine
import Trace

/// A controlled run, as far as a person has stepped it, or to its end.
package struct SteppedRun: Sendable {
    /// If the run has paused, the events after the last decision's are what each thread would do next.
    package let trace: TraceDocument
    package let schedule: Schedule
    package let moments: MomentList
    /// Whether it waits for a choice at the last of its decisions.
    package let isPaused: Bool
    /// Why the run could not follow the schedule. Nil: it could.
    package let misfit: String?
}
