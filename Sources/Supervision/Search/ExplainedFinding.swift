import Exploration
import Machine
import Trace

/// A finding with its story.
package struct ExplainedFinding {
    package let finding: Counterexample
    /// Nil: when its schedule was followed again, the program did something else; or there was no time to do so.
    package let shrunk: Shrunk?
    package let wasInterrupted: Bool
    /// Whether it is not the search that found it, but a look at random executions.
    package let isOfRandomRun: Bool
    /// Of a run that followed the shrunk schedule, or of the random execution.
    package let trace: TraceDocument

    init(finding: Counterexample, shrunk: Shrunk?, wasInterrupted: Bool, trace: TraceDocument) {
        self.finding = finding
        self.shrunk = shrunk
        self.wasInterrupted = wasInterrupted
        self.trace = trace
        isOfRandomRun = false
    }

    /// What the latest of these executions ended in.
    package init(_ kind: OutcomeKind, _ trace: TraceDocument, latestOf runs: RandomRuns) {
        let schedule = trace.header.schedule.flatMap { try? Schedule(parsing: $0) } ?? Schedule()
        finding = Counterexample(
            kind, place: 0, schedule: schedule, steps: schedule.stepCount, number: runs.count, strategy: .random)
        shrunk = nil
        wasInterrupted = false
        isOfRandomRun = true
        self.trace = trace
    }

    /// Whether a run ended as the search had found.
    package var isConfirmed: Bool {
        (shrunk != nil || wasInterrupted || isOfRandomRun) && trace.outcome?.kind == finding.kind
    }
}
