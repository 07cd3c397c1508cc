import Diagnosis
import Exploration
import Machine
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
    /// Whether every order of the lab's steps was tried that the rules allow. Orders that differ only in steps that do not
    /// depend on each other count as one.
    ///
    /// Even then something was not looked at: plain variables, which are no steps. A data race on one remains unseen,
    /// unless what it does fails a check. `run` under ThreadSanitizer (`swift test --sanitize=thread`) looks for it.
    public let triedEveryOrder: Bool
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
        triedEveryOrder = result.isProof
        self.findings = findings.map(Finding.init)
        self.elapsed = elapsed
    }
}

extension ExplorationResult {
    /// Of the replay of a schedule.
    init(_ trace: TraceDocument, _ schedule: Schedule, _ elapsed: Duration) {
        executions = 1
        steps = schedule.stepCount
        longest = steps
        different = nil
        triedEveryOrder = false
        findings =
            trace.outcome.flatMap { outcome in
                guard outcome.kind != .completed else { return nil }
                return [
                    Finding(
                        outcome: outcome.kind, sentence: outcome.summary, schedule: schedule.description, execution: 1)
                ]
            } ?? []
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

extension ExplorationResult: CustomStringConvertible {
    /// What was found, and how much was tried, in a few lines.
    public var description: String {
        let counts = [Names.count(executions, "execution"), Names.count(steps, "step"), "the longest \(longest)"]
        let tried = counts.joined(separator: ", ")
        let extent =
            triedEveryOrder
            ? "Every order of the lab's steps was tried; plain variables, which are no steps, were not looked at."
            : "Not every order of the lab's steps was tried."
        let list = findings.map { "\n- \($0)" }.joined()
        let found = findings.isEmpty ? "no finding" : Names.count(findings.count, "finding")
        return "\(found) in \(tried). \(extent)\(list)"
    }
}

extension ExplorationResult.Finding: CustomStringConvertible {
    public var description: String {
        "\(outcome.rawValue) in execution \(execution), schedule \"\(schedule)\": \(sentence)"
    }
}
