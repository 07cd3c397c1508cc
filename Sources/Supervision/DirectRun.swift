import Diagnosis
import Exploration
import Glibc
import Machine
import Trace

/// Runs a program that has no code of its own, and so cannot crash or loop forever, under the scheduler in this
/// process. The trace is that of the same run in a process of its own, which takes more than ten times as long.
struct DirectRun {
    let plan: RunPlan
    let seed: UInt64

    /// A signal that arrives meanwhile is an event of the trace: the run was interrupted.
    func finish() throws(SupervisionFailed) -> SupervisedRun {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        let sink = DocumentSink(header: plan.header, limit: RecordingReader.defaultMaximumEvents)
        let execution = ControlledExecution(plan.scenario, RandomWalk(seed: seed), into: sink, rules: plan.rules)
        let verdict = execution.run()
        var trace = sink.document
        trace.header.schedule = execution.runtime.schedule.description
        if let signal = signals.wait(nanoseconds: 0) {
            let time = trace.events.last?.time ?? 0
            trace.events.append(Event(time: time, thread: .main, kind: .runInterrupted, value: Int64(signal)))
        }
        var examination = plan.examination
        examination.consume(trace.events[...])
        let names = Names(trace)
        trace.outcome = examination.outcome(in: names, guide: plan.scenario.guide)
        try plan.compare(verdict, with: trace)
        return SupervisedRun(trace: trace, findings: examination.findings(in: names))
    }
}
