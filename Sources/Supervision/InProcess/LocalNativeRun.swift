import Authoring
import Diagnosis
import Execution
import Synchronization
import Trace

/// Runs a program on real threads of this process. The program's main thread is a new thread, not the calling one,
/// because a thread is ended with the run if its code cannot be unwound.
///
/// A deadlock or the time limit ends the run: blocked threads throw and unwind. A crash of the program is a crash of
/// this process. A main thread that computes forever also ends the process, some time after the limit. `Supervisor`
/// survives both.
package enum LocalNativeRun {
    /// The interval between two looks at the recording, in nanoseconds.
    private static let interval = 5_000_000

    /// - Parameter watchdog: how long the main thread may continue without noticing the end of the run.
    /// - Returns: the run, and, in a process that was built with ThreadSanitizer, its reports about the run's threads.
    package static func run(
        _ plan: RunPlan, _ watchdog: StepWatchdog.Settings
    ) throws(SupervisionFailed) -> (run: SupervisedRun, reports: [SanitizerReport]) {
        let end = Signal()
        let reports = SanitizerReport.count
        let recorder: Recorder
        let observer: LocalObserver
        let runtime: NativeRuntime
        do throws(RecordingError) {
            let memory = try RecordingMemory()
            recorder = Recorder(memory: memory)
            recorder.declareRun(plan.header)
            var options = NativeRuntime.Options()
            options.whenAbandoned = { end.post() }
            runtime = NativeRuntime(recorder: recorder, options: options)
            observer = LocalObserver(
                runtime, try RecordingReader(attachingTo: memory, maximumEvents: plan.maximumEvents), plan, watchdog)
        } catch {
            throw SupervisionFailed(error)
        }
        let watch = Watch(every: interval) { observer.look() }
        let scenario = plan.scenario
        FreshThread.start {
            observer.main.withLock { $0 = WatchedThread() }
            runtime.run { try scenario.run() }
            end.post()
        }
        end.wait()
        watch.stop()
        let threads = observer.kernelThreads
        let run = observer.finish(runtime.records)
        return (run, SanitizerReport.reports(after: reports, about: threads))
    }
}

/// Watches a run from another thread, as a supervisor does from its own process, and ends it when it cannot continue.
///
/// Used by one thread at a time: first by the watch's thread and, after that has ended, by the thread that made it.
private final class LocalObserver: @unchecked Sendable {
    private unowned let runtime: NativeRuntime
    private let reader: RecordingReader
    private let plan: RunPlan
    private let watchdog: StepWatchdog.Settings
    private let patience: Patience<Int>
    private var clock: OwnClock
    /// The program's main thread, which sets this itself.
    let main = Synchronization.Mutex<WatchedThread?>(nil)
    private let observation: Observation
    private var trace: TraceDocument
    /// The trace up to a deadlock, and its examination.
    private var stuck: SupervisedRun?

    /// Whether the run has been asked to end.
    private var isEnding = false

    init(
        _ runtime: NativeRuntime, _ reader: RecordingReader, _ plan: RunPlan, _ watchdog: StepWatchdog.Settings
    ) {
        self.watchdog = watchdog
        patience = Patience(watchdog)
        clock = plan.ownClock
        self.runtime = runtime
        self.reader = reader
        self.plan = plan
        observation = Observation(plan.examination)
        trace = TraceDocument(header: plan.header)
    }

    var kernelThreads: [Int32] { reader.kernelThreads }

    /// Looks at the run. Returns false when there is nothing more to watch.
    func look() -> Bool {
        drain(final: false)
        if isEnding { return awaitEnd() }
        let threads = reader.kernelThreads
        if observation.seesDeadlock(reader, { KernelSleep.areAllAsleep(threads) }) {
            stuck = judged()
            runtime.requestEnd(.runKilled)
            return false
        }
        // The run has no threads yet, so its time has not begun.
        if threads.isEmpty { return true }
        clock.read(threads)
        if plan.clock?() ?? clock.time < plan.timeout { return true }
        runtime.requestEnd(.runTimeout, Int(clamping: plan.timeout))
        isEnding = true
        return true
    }

    /// Ends the process if the main thread performs no operation for too long. At its next operation it would unwind.
    private func awaitEnd() -> Bool {
        let thread = main.withLock { $0 }
        guard patience.isOver(trace.events.count, thread.map { [$0.kernelNumber] } ?? []) else { return true }
        let last = trace.events.last { $0.thread == .main && $0.site != .unknown }.flatMap { trace.site($0.site) }
        let place = StepWatchdog.Place(thread: 0, line: last.map { ($0.file, $0.line) })
        thread?.end(watchdog.message(place))
        return true
    }

    /// The result. Called after the end of the run and of the watch.
    ///
    /// - Parameter records: what the program left behind.
    func finish(_ records: any RecordStorage) -> SupervisedRun {
        if let stuck { return stuck }
        drain(final: true)
        if observation.examination.graph.ending?.kind == .runExit { review(records) }
        return judged()
    }

    private func drain(final: Bool) {
        let observation = observation
        reader.drain(into: &trace, final: final) { observation.consume($0) }
    }

    private func review(_ records: any RecordStorage) {
        let time = trace.events.last?.time ?? 0
        Review(plan.scenario, records).write { kind, text in
            trace.texts.append(text)
            trace.events.append(Event(time: time, thread: .main, kind: kind, value: Int64(trace.texts.count - 1)))
            observation.consume(trace.events.suffix(1))
        }
    }

    private func judged() -> SupervisedRun {
        let names = Names(trace)
        var trace = trace
        trace.outcome = observation.examination.outcome(in: names, guide: plan.scenario.guide)
        return SupervisedRun(trace: trace, findings: observation.examination.findings(in: names))
    }
}
