import CLab
import Execution
import Foundation
import Glibc
import Trace

/// What a process does that was started for one call: it searches in processes that it forks, sends the report, and
/// ends.
enum IsolatedWorker {
    /// The byte that is sent before the report for each earlier round of the call that the test has passed. No report
    /// begins with it.
    static let markOfEarlierRound = UInt8(ascii: "\n")

    static func noteEarlierRound(to descriptor: Int32) {
        var mark = markOfEarlierRound
        while write(descriptor, &mark, 1) < 0 && errno == EINTR {}
    }

    /// Does the work, sends the report, and ends the process: the rest of the test is not executed here.
    static func work(reportingTo descriptor: Int32, _ search: () throws -> IsolatedReport) -> Never {
        awaitQuiet()
        let report: IsolatedReport
        do { report = try search() } catch { report = IsolatedReport(error: "\(error)") }
        var rest: ArraySlice<UInt8>
        do { rest = [UInt8](try JSONEncoder().encode(report))[...] } catch {
            preconditionFailure("the report of an isolated search cannot be encoded: \(error)")
        }
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 { break }
            rest = rest.dropFirst(count)
        }
        _exit(0)
    }

    /// Waits until all other threads of the process sleep, for a second at most. They belong to the test library and
    /// are idle, so a fork then copies no lock that one of them holds.
    private static func awaitQuiet() {
        let me = clab_thread_id()
        for _ in 0..<1000 {
            let others = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            if KernelSleep.areAllAsleep(others.compactMap { Int32($0) }.filter { $0 != me }) { return }
            usleep(1000)
        }
    }
}

/// The report of the process that was started for a call, sent as JSON.
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

    /// The additional results of `exploreOperations`.
    struct Operations: Codable {
        struct Finding: Codable {
            let outcome: String
            let calls: String
            let history: String
            let schedule: String
        }

        var combinations = 0
        var proved = 0
        var all: Int?
        var finding: Finding?
    }

    var operations: Operations?
    var executions = 0
    var steps = 0
    var longest = 0
    var different: Int?
    var triedEveryOrder = false
    var findings: [Finding] = []
    /// The duration of the search in seconds.
    var elapsed = 0.0
    /// The text with which the test fails. Nil: it passes.
    var failure: String?
    var warning: String?
    var files: [File] = []
    /// Why the search could not be executed.
    var error: String?

    init(error: String) { self.error = error }

    init(_ judgement: TestJudgement) {
        let result = judgement.result
        executions = result.executions
        steps = result.steps
        longest = result.longest
        different = result.different
        triedEveryOrder = result.triedEveryOrder
        findings = result.findings.map {
            Finding(outcome: $0.outcome.rawValue, sentence: $0.sentence, schedule: $0.schedule, execution: $0.execution)
        }
        elapsed = result.elapsed / .seconds(1)
        failure = judgement.failure?.text
        warning = judgement.warning
        files = judgement.failure?.files.map { File(name: $0.name, bytes: $0.bytes) } ?? []
    }

    init(_ judgement: OperationsJudgement) {
        let result = judgement.result
        executions = result.executions
        steps = result.steps
        elapsed = result.elapsed / .seconds(1)
        failure = judgement.failure?.text
        warning = judgement.warning
        files = judgement.failure?.files.map { File(name: $0.name, bytes: $0.bytes) } ?? []
        operations = Operations(
            combinations: result.combinations, proved: result.proved, all: result.all,
            finding: result.finding.map {
                .init(outcome: $0.outcome.rawValue, calls: $0.calls, history: $0.history, schedule: $0.schedule)
            })
    }

    var operationsJudgement: OperationsJudgement {
        var result = OperationsResult()
        if let operations {
            result.combinations = operations.combinations
            result.proved = operations.proved
            result.all = operations.all
            result.finding = operations.finding.map {
                OperationsResult.Finding(
                    outcome: OutcomeKind(rawValue: $0.outcome) ?? .error, calls: $0.calls, history: $0.history,
                    schedule: $0.schedule)
            }
        }
        result.executions = executions
        result.steps = steps
        result.elapsed = .seconds(elapsed)
        return OperationsJudgement(result: result, failure: reported, warning: warning)
    }

    var judgement: TestJudgement { TestJudgement(result: result, failure: reported, warning: warning) }

    private var result: ExplorationResult {
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

    /// The failure of the test, with its files.
    private var reported: TestFailure? {
        guard let failure else { return nil }
        var whole = TestFailure(failure)
        whole.files = files.map { AttachedFile(name: $0.name, bytes: $0.bytes) }
        return whole
    }
}
