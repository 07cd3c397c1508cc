import Diagnosis
import Exploration
import Machine
import Supervision
import Trace

/// What `explore` has tried and found, for further assertions.
public struct ExplorationResult: Sendable {
    /// An execution with an unexpected end, or with the expected failure.
    public struct Finding: Sendable {
        public let outcome: OutcomeKind
        /// A sentence that says what happened.
        public let sentence: String
        /// The choices that lead to it, for `replay`.
        public let schedule: String
        /// The number of the execution that found it, from 1.
        public let execution: Int
    }

    /// The number of executions.
    public let executions: Int
    /// The total number of steps.
    public let steps: Int
    /// The number of steps of the longest execution.
    public let longest: Int
    /// The number of executions that differ in the order of dependent steps. Nil: the search has not run all of them.
    public let different: Int?
    /// Whether every order of the lab's steps that the rules allow was tried. Orders that differ only in independent
    /// steps count as one.
    ///
    /// Plain variables are not covered even then, because accesses to them are not steps. A data race on one is not
    /// found, unless its effect fails a check. `run` under ThreadSanitizer (`swift test --sanitize=thread`) finds such
    /// races.
    public let triedEveryOrder: Bool
    /// The findings, in the order of their discovery.
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
    /// The result of replaying a schedule.
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
    /// What was found and how much was tried, in a few lines.
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
