import Foundation
import Trace

/// What the process that was started for a call sends back.
struct IsolatedReport: Codable {
    struct File: Codable {
        let name: String
        let bytes: [UInt8]
    }

    struct Finding: Codable {
        let outcome: String
        let sentence: String
        let schedule: String
        let execution: Int
    }

    var executions = 0
    var steps = 0
    var longest = 0
    var different: Int?
    var triedEveryOrder = false
    var findings: [Finding] = []
    /// In seconds.
    var elapsed = 0.0
    /// What fails the test.
    var failure: String?
    var files: [File] = []
    /// Why the search could not be made.
    var error: String?

    init(error: String) { self.error = error }

    init(_ result: ExplorationResult, _ failure: TestFailure?) {
        executions = result.executions
        steps = result.steps
        longest = result.longest
        different = result.different
        triedEveryOrder = result.triedEveryOrder
        findings = result.findings.map {
            Finding(outcome: $0.outcome.rawValue, sentence: $0.sentence, schedule: $0.schedule, execution: $0.execution)
        }
        elapsed = result.elapsed / .seconds(1)
        self.failure = failure?.text
        files = failure?.files.map { File(name: $0.name, bytes: $0.bytes) } ?? []
    }

    var result: ExplorationResult {
        ExplorationResult(
            executions: executions, steps: steps, longest: longest, different: different,
            triedEveryOrder: triedEveryOrder,
            findings: findings.map {
                ExplorationResult.Finding(
                    outcome: OutcomeKind(rawValue: $0.outcome) ?? .error, sentence: $0.sentence, schedule: $0.schedule,
                    execution: $0.execution)
            },
            elapsed: .seconds(elapsed))
    }

    var reported: TestFailure? {
        guard let failure else { return nil }
        var whole = TestFailure(failure)
        whole.files = files.map { AttachedFile(name: $0.name, bytes: $0.bytes) }
        return whole
    }
}
