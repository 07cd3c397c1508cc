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

extension ExplainedFinding {
    /// Sentences about how it was found, for the end of a report on its trace.
    package var remarks: [String] {
        if isOfRandomRun {
            return ["Found in random execution \(finding.number), one of those run after the search."]
        }
        let found =
            finding.strategy == .states
            ? "Found by the search by states" : "Found in execution \(finding.number) (\(finding.strategy.rawValue))"
        guard isConfirmed else {
            let kind = finding.kind.rawValue
            let advice = Discrepancy.repetitionAdvice
            return ["\(found) as \(kind); with the same choices it ended differently this time. \(advice)"]
        }
        guard let shrunk else { return ["\(found)."] }
        let steps = shrunk.cost.words + shrunk.minimality.words
        if shrunk.cost < shrunk.original {
            return ["\(found). Shrunk to \(steps)."]
        }
        return ["\(found), with \(steps)."]
    }

    /// The choices that lead to it, as few as were found.
    package var schedule: Schedule { shrunk?.schedule ?? finding.schedule }
}

extension ScheduleCost {
    fileprivate var words: String { "\(Names.count(steps, "step")) and \(Names.count(preemptions, "preemption"))" }
}

extension Shrunk.Minimality {
    fileprivate var words: String {
        switch self {
        case .unknown: ""
        case .preemptions: ", the minimum number of preemptions"
        case .steps: ", the minimum"
        }
    }
}
