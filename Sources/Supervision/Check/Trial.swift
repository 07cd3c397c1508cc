import Authoring
import Diagnosis
import Execution
import Glibc
import Trace

/// Gathers evidence about one scenario in a separate process. That process belongs to threadlab. The scenario runs in
/// its children, so whatever the scenario does affects only them.
final class Trial {
    private let plan: CheckPlan
    private let begin: UInt64
    /// When the process is ended, if it has not ended by itself.
    private let end: Deadline
    private var process: pid_t = 0
    private var mailbox: Mailbox
    private var evidence: [Evidence]
    private var traces: [TrialResult.KeptTrace] = []
    private var failure: String?
    /// Whether the system refused to let threadlab write something that the runs need.
    private var isRefused = false
    /// Whether the process was ended because its time was over.
    private var isCutOff = false
    /// Whether the process is executing the scenario's review of a run.
    private var isInReview = false

    /// Starts the trial. Must be called while the process has one thread, and with the signals that end a run blocked:
    /// it forks.
    ///
    /// - Parameter proof: the evidence of an earlier search, which is then not repeated.
    init(_ scenario: any Runnable, _ plan: CheckPlan, proof: Evidence?) throws(SupervisionFailed) {
        var plan = plan
        if proof != nil { plan.executions = 0 }
        if scenario.realThreadsOnly != nil { plan.runOnlyOnRealThreads() }
        if !scenario.isAboutRealThreads || scenario.isControlledOnly { plan.runOnlyUnderScheduler() }
        self.plan = plan
        evidence = proof.map { [$0] } ?? []
        let mailbox = try Mailbox()
        self.mailbox = mailbox
        defer { mailbox.closeWriter() }
        begin = RecordingClock.nanoseconds()
        end = Deadline(after: plan.time + plan.time / 10 + Self.grace)
        do throws(SupervisionFailed) {
            process = try ForkedProcess.fork(for: "the runs") { [plan] in Self.gatherAndExit(scenario, plan, mailbox) }
        } catch {
            mailbox.closeReader()
            throw error
        }
    }

    /// How long a trial may take beyond its time and a tenth of it, in nanoseconds.
    private static let grace: UInt64 = 700_000_000

    // MARK: - The child's side

    private enum Exit {
        static let failed: Int32 = 3
        /// A signal interrupted the trial: this number plus the signal's.
        static let interrupted: Int32 = 128
    }

    private enum MessageKind: Int {
        case evidence, trace, failure, reviews
    }

    private static func gatherAndExit(_ scenario: any Runnable, _ plan: CheckPlan, _ mailbox: Mailbox) -> Never {
        // Drops the scenario's output, which would be repeated a thousand times. The command `run` shows it.
        ForkedProcess.silence()
        do {
            if plan.executions > 0 { send(try ControlledSearch(scenario, plan).gather(), mailbox) }
            if plan.nativeRuns > 0 {
                let trials = NativeTrials(scenario: scenario, plan: plan) { isOver in
                    var message = WordWriter()
                    message.add(MessageKind.reviews.rawValue)
                    message.add(isOver ? 1 : 0)
                    mailbox.send(message)
                }
                send(try trials.gather(), mailbox)
            }
            _exit(0)
        } catch let interruption as Interrupted {
            _exit(Exit.interrupted + interruption.signal)
        } catch {
            var message = WordWriter()
            message.add(MessageKind.failure.rawValue)
            message.add((error as? SupervisionFailed)?.refusal == nil ? 0 : 1)
            message.add("\(error)")
            mailbox.send(message)
            _exit(Exit.failed)
        }
    }

    private static func send(_ gathered: GatheredEvidence, _ mailbox: Mailbox) {
        var message = WordWriter()
        message.add(MessageKind.evidence.rawValue)
        message.add(gathered.evidence)
        mailbox.send(message)
        for (kind, trace) in gathered.traces.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var message = WordWriter()
            message.add(MessageKind.trace.rawValue)
            message.add(gathered.evidence.runtime.rawValue)
            message.add(kind.rawValue)
            var sink = ByteSink()
            TraceWriter.write(trace, to: &sink)
            message.add(packed: sink.bytes)
            mailbox.send(message)
        }
    }

    // MARK: - The parent's side

    /// Asks the process to end. Its children end with it.
    func interrupt() { kill(process, SIGTERM) }

    /// Kills the process, and waits until it is gone.
    func abandon() {
        _ = ProcessEnding.stop(process, .interrupted(SIGKILL))
        mailbox.closeReader()
    }

    /// The result, or `interrupted` if the trial was asked to end before it was done. Nil: it is still running.
    func finish() -> Ending? {
        receive()
        guard let ending = ProcessEnding(of: process) ?? overdue else { return nil }
        // Receives the last messages of the process.
        receive()
        mailbox.closeReader()
        if isCutOff {
            if evidence.isEmpty { evidence = TrialResult.cutOff(plan) }
            let duration = RecordingClock.nanoseconds() - begin
            return .done(TrialResult(evidence: evidence, duration: duration))
        }
        switch ending {
        case .exited(let status) where status > Exit.interrupted:
            return .interrupted(status - Exit.interrupted)
        case .exited(0), .exited(Exit.failed): break
        default: failure = failure ?? "the process that supervised its runs failed"
        }
        let duration = RecordingClock.nanoseconds() - begin
        return .done(
            TrialResult(
                evidence: evidence, traces: traces, duration: duration, failure: failure, isRefused: isRefused))
    }

    /// Ends a process that has exceeded its time. The process watches the time itself, but it may compute for longer
    /// between two looks, and the scenario's review of a native run is executed in it and may never end.
    private var overdue: ProcessEnding? {
        guard end.isOver else { return nil }
        isCutOff = true
        if isInReview {
            isCutOff = false
            failure = "the scenario's review of what a run left does not end"
        }
        return ProcessEnding.stop(process, .timeout)
    }

    private func receive() {
        do throws(DamagedMessage) {
            while failure == nil && mailbox.hasNews {
                let isThere = try mailbox.receive { message throws(DamagedMessage) in
                    switch try message.value(MessageKind.self) {
                    case .evidence: evidence.append(try message.message())
                    case .trace:
                        traces.append(
                            TrialResult.KeptTrace(
                                runtime: try message.value(), kind: try message.value(),
                                content: try message.packedBytes()))
                    case .failure:
                        isRefused = try message.word() == 1
                        failure = try message.text()
                    case .reviews: isInReview = try message.word() != 1
                    }
                }
                if !isThere { return }
            }
        } catch {
            failure = DamagedMessage.explanation
            kill(process, SIGKILL)
        }
    }

    enum Ending {
        case done(TrialResult)
        case interrupted(Int32)
    }
}

/// The evidence gathered about one scenario.
package struct TrialResult: Sendable {
    /// The evidence of each requested runtime, the controlled one first.
    package var evidence: [Evidence]
    /// The traces that the plan keeps: on each runtime, the trace of the first run with each outcome that is not
    /// allowed; if there is none, the trace of a run that shows what is missing.
    package var traces: [KeptTrace] = []
    /// The duration in nanoseconds of real time.
    package var duration: UInt64
    /// What went wrong in threadlab itself.
    package var failure: String?
    /// Whether the failure is that the system refuses a write, such as the creation of a scratch directory.
    package var isRefused = false
    /// The time that the trial had, in nanoseconds, if it was less than a scenario may take and did not suffice.
    package var allotted: UInt64?

    /// The result for a scenario for which no time is left. Nothing is known about it, so it does not count as
    /// expected.
    package static var withoutTime: TrialResult {
        var result = TrialResult(evidence: [nothing], duration: 0)
        result.allotted = 0
        return result
    }

    private static var nothing: Evidence { Evidence(.controlled, runs: 0, .part(.time), ended: 0) }

    /// The evidence of a trial that has sent none when its time is over.
    fileprivate static func cutOff(_ plan: CheckPlan) -> [Evidence] {
        plan.executions == 0 ? [Evidence(.native, runs: 0, .part(.time))] : [nothing]
    }

    var ranOutOfTime: Bool { failure == nil && evidence.contains { $0.extent == .part(.time) } }

    package struct KeptTrace: Sendable {
        package let runtime: TraceHeader.Runtime
        package let kind: OutcomeKind
        package var content: [UInt8]

        package func renaming(_ file: String, to name: String) -> KeptTrace {
            // Always a trace: this process's own child has written it.
            guard var trace = try? TraceReader.read(content) else { return self }
            trace.rename(file, to: name)
            var sink = ByteSink()
            TraceWriter.write(trace, to: &sink)
            var copy = self
            copy.content = sink.bytes
            return copy
        }
    }
}

/// The results of all runs on one runtime.
struct GatheredEvidence {
    var evidence: Evidence
    /// The trace of a run for each outcome that is not allowed, if the plan keeps traces.
    var traces: [OutcomeKind: TraceDocument] = [:]
}
