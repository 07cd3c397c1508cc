import Exploration
import Machine
import Trace

/// A finding with its trace.
package struct ExplainedFinding {
    package let finding: Counterexample
    /// Nil if the program behaved differently when the schedule was repeated, or there was no time to repeat it.
    package let shrunk: Shrunk?
    package let wasInterrupted: Bool
    /// Whether it was found in a random execution after the search, not by the search itself.
    package let isOfRandomRun: Bool
    /// The trace of a run that followed the shrunk schedule, or of the random execution.
    package let trace: TraceDocument

    init(finding: Counterexample, shrunk: Shrunk?, wasInterrupted: Bool, trace: TraceDocument) {
        self.finding = finding
        self.shrunk = shrunk
        self.wasInterrupted = wasInterrupted
        self.trace = trace
        isOfRandomRun = false
    }

    /// The outcome of the latest of these executions.
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
