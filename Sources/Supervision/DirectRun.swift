import Diagnosis
import Execution
import Exploration
import Glibc
import Machine
import Trace

/// Runs a program under the scheduler in this process: one that has no code of its own, and so cannot crash or loop
/// forever, or one for which this process takes that risk. The trace is that of the same run in a process of its own,
/// which takes more than ten times as long.
package struct DirectRun {
    private let plan: RunPlan
    private let chooser: any Chooser
    private let log: ChoiceMemory?
    private let fibers: SpareFibers?

    /// - Parameters:
    ///   - plan: its mode is controlled by a seed, or the replay of a schedule.
    ///   - log: receives the choices, if a watchdog needs them.
    ///   - fibers: for the caller of several runs.
    package init(_ plan: RunPlan, log: ChoiceMemory? = nil, fibers: SpareFibers? = nil) {
        self.plan = plan
        self.log = log
        self.fibers = fibers
        switch plan.mode {
        case .controlled(let seed): chooser = RandomWalk(seed: seed)
        case .replay(let schedule): chooser = Replay(schedule)
        case .native, .follow, .step: preconditionFailure("such a run needs a process of its own")
        }
    }

    /// - Returns: the run. If it could not follow its schedule, its last event says so.
    package func finish() throws(SupervisionFailed) -> SupervisedRun {
        let sink = DocumentSink(header: plan.header, limit: RecordingReader.defaultMaximumEvents)
        let execution = ControlledExecution(
            plan.scenario, chooser, into: sink, rules: plan.rules, log: log, fibers: fibers)
        let verdict = execution.run()
        execution.noteMisfit(of: chooser, verdict)
        var trace = sink.document
        trace.header.schedule = execution.runtime.schedule.description
        return try judge(&trace, verdict)
    }

    /// The same for a process that a person may interrupt: a signal that arrives meanwhile is an event of the trace.
    func finishUnlessInterrupted() throws(SupervisionFailed) -> SupervisedRun {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        var run = try finish()
        if let signal = signals.wait(nanoseconds: 0) {
            let time = run.trace.events.last?.time ?? 0
            run.trace.events.append(Event(time: time, thread: .main, kind: .runInterrupted, value: Int64(signal)))
            return try judge(&run.trace, nil)
        }
        return run
    }

    /// - Parameter verdict: how the scheduler says that the run ended. Nil: it was interrupted.
    private func judge(_ trace: inout TraceDocument, _ verdict: Verdict?) throws(SupervisionFailed) -> SupervisedRun {
        var examination = plan.examination
        examination.consume(trace.events[...])
        let names = Names(trace)
        trace.outcome = examination.outcome(in: names, guide: plan.scenario.guide)
        if let verdict { try plan.compare(verdict, with: trace) }
        return SupervisedRun(trace: trace, findings: examination.findings(in: names))
    }
}
