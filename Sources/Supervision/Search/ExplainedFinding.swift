import Diagnosis
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
    /// A run that followed the shrunk schedule, or the random execution, examined by all detectors.
    private let run: SupervisedRun

    init(finding: Counterexample, shrunk: Shrunk?, wasInterrupted: Bool, run: SupervisedRun) {
        self.finding = finding
        self.shrunk = shrunk
        self.wasInterrupted = wasInterrupted
        self.run = run
        isOfRandomRun = false
    }

    /// The outcome of the latest of these executions.
    package init(_ kind: OutcomeKind, _ run: SupervisedRun, latestOf runs: RandomRuns) {
        let schedule = run.trace.header.schedule.flatMap { try? Schedule(parsing: $0) } ?? Schedule()
        finding = Counterexample(
            kind, place: 0, schedule: schedule, steps: schedule.stepCount, number: runs.count, strategy: .random)
        shrunk = nil
        wasInterrupted = false
        isOfRandomRun = true
        self.run = run
    }

    package var trace: TraceDocument { run.trace }

    /// What the detectors found in the run that decides its outcome.
    package var deciding: Finding? { Finding.deciding(trace.outcome, among: run.findings) }

    /// Whether a run ended as the search had found.
    package var isConfirmed: Bool {
        (shrunk != nil || wasInterrupted || isOfRandomRun) && trace.outcome?.kind == finding.kind
    }
}
