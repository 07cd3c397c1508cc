import CLab
import Diagnosis
import Exploration
import Glibc
import Machine
import Scenarios
import Trace

/// Runs a scenario under one seed after the other, all in one process of their own. If that dies or hangs, the run that it
/// was at is told, and what came before stays counted.
struct ControlledTrials {
    let scenario: any Runnable
    let plan: CheckPlan
    let memory: EvidenceMemory

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Returns: false if a signal interrupted it.
    func gather() throws(SupervisionFailed) -> Bool {
        let limit = plan.share
        let deadline = RecordingClock.nanoseconds() + limit
        while memory.runs < plan.controlledRuns && RecordingClock.nanoseconds() < deadline {
            let ending = try runChild(until: deadline)
            if case .interrupted = ending { return false }
            guard let present = memory.present else { return true }
            let (kind, value) = ending.event(limit: limit) ?? (.runQuit, 0)
            // A run that had but little of the time did not hang.
            if case .timeout = ending, present.begin > deadline - limit / 2 { return true }
            let outcome = outcome(of: kind, value)
            memory.end(outcome)
            // A scenario that is expected to crash may do so once more.
            guard scenario.expectation.allowed.contains(outcome.kind) else { return true }
        }
        return true
    }

    /// The outcome of a run that left nothing but its end.
    private func outcome(of kind: EventKind, _ value: Int64) -> Outcome {
        var trace = TraceDocument(header: TraceHeader(scenario: scenario.name, runtime: .controlled))
        trace.events = [Event(time: 0, thread: .main, kind: kind, value: value)]
        return OutcomeJudge.outcome(of: trace)
    }

    // MARK: - The parent

    private func runChild(until deadline: UInt64) throws(SupervisionFailed) -> ProcessEnding {
        let signals = BlockedSignals([SIGCHLD, SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        let parent = getpid()
        let child = clab_fork()
        if child == 0 {
            ChildProcess.prepare(parent: parent)
            signals.unblock()
            runAndExit(until: deadline)
        }
        guard child > 0 else { throw SupervisionFailed("no process for the runs: \(String(cString: strerror(errno)))") }
        while true {
            let now = RecordingClock.nanoseconds()
            if now >= deadline { return ProcessEnding.stop(child, .timeout) }
            let signal = signals.wait(nanoseconds: Int(min(deadline - now, 100_000_000)))
            if let ending = ProcessEnding(of: child) { return ending }
            if let signal, signal != SIGCHLD { return ProcessEnding.stop(child, .interrupted(signal)) }
        }
    }

    // MARK: - The child

    private func runAndExit(until deadline: UInt64) -> Never {
        let walk = RandomWalk(seed: plan.seed)
        var sink = newSink
        var execution = ControlledExecution(scenario, walk, into: sink, rules: Rules(maximumSteps: plan.maximumSteps))
        while memory.runs < plan.controlledRuns && RecordingClock.nanoseconds() < deadline {
            let seed = plan.seed &+ UInt64(memory.runs)
            memory.begin(seed: seed)
            walk.restart(seed: seed)
            _ = execution.run()
            let trace = sink.document
            memory.end(OutcomeJudge.outcome(of: trace, judgesLockOrder: scenario.judgesLockOrder), trace)
            sink = newSink
            execution.restart(into: sink)
        }
        _exit(0)
    }

    private var newSink: DocumentSink {
        DocumentSink(header: TraceHeader(scenario: scenario.name, runtime: .controlled))
    }
}
