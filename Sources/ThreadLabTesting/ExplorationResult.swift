import Exploration
import Supervision
import Trace

/// What `explore` has tried and found, for assertions of one's own.
public struct ExplorationResult: Sendable {
    /// An execution that ended otherwise than it should, or as it was expected to fail.
    public struct Finding: Sendable {
        public let outcome: OutcomeKind
        /// What happened, in a sentence.
        public let sentence: String
        /// The choices that lead to it, for `replay`.
        public let schedule: String
        /// The number of the execution in which it was found, from 1.
        public let execution: Int
    }

    /// The number of executions.
    public let executions: Int
    /// The number of their steps.
    public let steps: Int
    /// The number of steps of the longest one.
    public let longest: Int
    /// The number of executions that differ in the order of dependent steps, if all of them were run.
    public let different: Int?
    /// Whether everything that the program can do under the rules was tried.
    public let isProof: Bool
    /// In the order in which they were found.
    public let findings: [Finding]
    public let elapsed: Duration
}

extension ExplorationResult {
    init(_ result: SearchResult, _ findings: [ExplainedFinding], _ elapsed: Duration) {
        executions = result.counts.executions
        steps = result.counts.steps
        longest = result.counts.longest
        different = result.total
        isProof = result.isProof
        self.findings = findings.map(Finding.init)
        self.elapsed = elapsed
    }
}

extension ExplorationResult.Finding {
    init(_ finding: ExplainedFinding) {
        outcome = finding.finding.kind
        sentence = finding.trace.outcome?.summary ?? ""
        schedule = finding.schedule.description
        execution = finding.finding.number
    }
}
