import Exploration
import Trace

/// A finding with its story.
package struct ExplainedFinding {
    package let finding: Finding
    /// Nil: when its schedule was followed again, the program did something else; or there was no time to do so.
    package let shrunk: Shrunk?
    package let wasInterrupted: Bool
    /// Of a run that followed the shrunk schedule.
    package let trace: TraceDocument

    /// Whether the run ended as the search had found.
    package var isConfirmed: Bool { (shrunk != nil || wasInterrupted) && trace.outcome?.kind == finding.kind }
}
