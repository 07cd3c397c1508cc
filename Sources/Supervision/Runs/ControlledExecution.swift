import Authoring
import Diagnosis
import Execution
import Exploration
import Glibc
import Machine
import Trace

/// Runs a scenario under the controlled scheduler, from its first step to its review.
struct ControlledExecution {
    let recorded: any RecordedExecution
    private let scenario: any Runnable
    private let sink: any EventSink
    private let races = RaceWatch()

    /// - Parameters:
    ///   - sink: receives the events.
    ///   - log: receives the choices, if another process needs them.
    ///   - fibers: see `ControlledRuntime`.
    ///   - witness: records the calls in progress at each operation.
    init(
        _ scenario: any Runnable, _ chooser: any Chooser, into sink: any EventSink, rules: Rules,
        log: ChoiceMemory? = nil, fibers: SpareFibers? = nil, witness: (any CallWitness)? = nil
    ) {
        self.scenario = scenario
        self.sink = sink
        recorded = scenario.makeRecordedExecution(
            chooser, rules, Journal(into: sink, witness: witness), log: log, fibers: fibers)
        recorded.driver.observers = [races]
    }

    /// Runs the scenario, and its review if it has ended.
    ///
    /// - Returns: the verdict that a search of the scenario would report.
    func run() -> Verdict {
        let verdict = recorded.run()
        guard verdict.yieldsToRace else { return verdict }
        let end: Verdict = races.races.isEmpty ? verdict : .race
        if verdict.isCutOff { return end }
        let review = Review(scenario, recorded.records)
        review.write { kind, text in
            sink.append(kind, thread: 0, object: 0, value: sink.text(text), site: .unknown, time: time)
        }
        if let failure = review.verdict { return failure }
        return end
    }

    /// If the chooser replays a schedule that the run could not follow, records why.
    func noteMisfit(of chooser: any Chooser, _ verdict: Verdict) {
        guard let replay = chooser as? Replay, let text = misfit(of: replay, verdict) else { return }
        noteMisfit(text)
    }

    /// Records the reason why the run could not follow its schedule.
    func noteMisfit(_ text: String) {
        sink.append(.runDiverged, thread: 0, object: 0, value: sink.text(text), site: .unknown, time: time)
    }

    private func misfit(of replay: Replay, _ verdict: Verdict) -> String? {
        // A thread outside the run ended it. The schedule does not matter.
        if verdict == .foreignThread { return nil }
        if let divergence = replay.divergence { return description(of: divergence) }
        guard !verdict.isCutOff, replay.unused > 0 else { return nil }
        let rest = replay.unused == 1 ? "1 choice is" : "\(replay.unused) choices are"
        return "the run ended before the schedule did: \(rest) left over"
    }

    func description(of divergence: Divergence) -> String {
        divergence.description { thread in
            thread < recorded.driver.state.threadCount ? recorded.name(of: ThreadID(thread)) : nil
        }
    }

    private var time: Int { recorded.driver.state.time }
}

/// Writes the events of a controlled run into a recording. All threads use one lane, in the order in which events
/// happen (`LaneOrder.byLane`).
final class RecorderSink: EventSink {
    private let recorder: Recorder
    private var lane: Lane
    /// The number of events so far.
    private(set) var count = 0

    init(_ recorder: Recorder) {
        self.recorder = recorder
        lane = recorder.makeLane()
        recorder.declareThread(0, name: "main")
    }

    /// From now on, records on a new lane: the present one ends with what each thread would do next, which has not
    /// happened.
    func beginLane() { lane = recorder.makeLane() }

    func append(
        _ kind: EventKind, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int, order: MemoryOrder
    ) {
        count += 1
        lane.append(
            kind, thread: UInt16(thread), object: object, value: Int64(value), site: site, time: UInt64(time),
            order: order)
    }

    func append(_ remark: Remark, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int) {
        count += 1
        lane.append(
            remark: recorder.number(of: remark), thread: UInt16(thread), object: object, value: Int64(value),
            site: site, time: UInt64(time))
    }

    func declareThread(_ thread: Int, name: String) { recorder.declareThread(UInt16(thread), name: name) }

    func declareObject(_ object: UInt32, kind: ObjectKind, name: String, maker: ThreadID, permits: Int?) {
        recorder.declareObject(
            object, kind: kind, name: name, value: kind == .semaphore ? permits ?? -1 : 0, maker: maker)
    }

    func declarePart(_ object: UInt32, of owner: UInt32) { recorder.declarePart(object, of: owner) }

    func declareTarget(_ value: Int, name: String) { recorder.declareTarget(value, name: name) }

    func text(_ text: String) -> Int { Int(recorder.text(text)) }
}

/// Runs a program under the scheduler in this process. Meant for a program without code of its own, which cannot crash
/// or loop forever; for another program only if this process may crash or hang with it. The trace is the same as that
/// of a run in a process of its own, which would take more than ten times as long.
package struct DirectRun {
    private let plan: RunPlan
    private let chooser: any Chooser
    private let log: ChoiceMemory?
    private let fibers: SpareFibers?

    /// - Parameters:
    ///   - plan: its mode must be controlled by a seed, or the replay of a schedule.
    ///   - log: receives the choices, if a watchdog needs them.
    ///   - fibers: reused by a caller of several runs.
    ///   - isOver: whether the time for the run is over; only asked if the run has a seed. Nil: there is no time limit.
    package init(
        _ plan: RunPlan, log: ChoiceMemory? = nil, fibers: SpareFibers? = nil, isOver: (() -> Bool)? = nil
    ) {
        self.plan = plan
        self.log = log
        self.fibers = fibers
        switch plan.mode {
        case .controlled(let seed):
            let walk = RandomWalk(seed: seed)
            chooser = isOver.map { TimedChooser(walk, isOver: $0) } ?? walk
        case .replay(let schedule): chooser = Replay(schedule)
        case .native, .follow, .step: preconditionFailure("such a run needs a process of its own")
        }
    }

    /// - Returns: the run. If it could not follow its schedule, its last event says so.
    package func finish() throws(SupervisionFailed) -> SupervisedRun {
        guard let run = try finishInTime() else { preconditionFailure("a run without a time limit was given up") }
        return run
    }

    /// - Returns: nil if the time did not suffice.
    func finishInTime() throws(SupervisionFailed) -> SupervisedRun? {
        let sink = DocumentSink(
            header: plan.header, limit: RecordingReader.defaultMaximumEvents,
            placeOfCalls: plan.placeOfCalls)
        let execution = ControlledExecution(
            plan.scenario, chooser, into: sink, rules: plan.rules, log: log, fibers: fibers, witness: plan.explainer)
        let verdict = execution.run()
        if let timed = chooser as? TimedChooser, timed.hasGivenUp { return nil }
        execution.noteMisfit(of: chooser, verdict)
        var trace = sink.document
        trace.header.schedule = execution.recorded.driver.schedule.description
        let run = try judge(&trace, verdict)
        guard let explainer = plan.explainer, let finding = Finding.deciding(trace.outcome, among: run.findings) else {
            return run
        }
        explainer.explain(finding, in: &trace, site: sink.number)
        // The explainer may have renamed objects.
        return try judge(&trace, verdict)
    }

    /// Like `finishInTime`, in a process that a person may interrupt: a signal during the run becomes an event of the
    /// trace.
    ///
    /// - Returns: nil if the time did not suffice.
    func finishUnlessInterrupted() throws(SupervisionFailed) -> SupervisedRun? {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        guard var run = try finishInTime() else { return nil }
        if let signal = signals.wait(nanoseconds: 0) {
            let time = run.trace.events.last?.time ?? 0
            run.trace.events.append(Event(time: time, thread: .main, kind: .runInterrupted, value: Int64(signal)))
            return try judge(&run.trace, nil)
        }
        return run
    }

    /// - Parameter verdict: how the run ended according to the scheduler. Nil: it was interrupted.
    private func judge(_ trace: inout TraceDocument, _ verdict: Verdict?) throws(SupervisionFailed) -> SupervisedRun {
        var examination = plan.examination
        examination.consume(trace.events[...])
        let names = Names(trace)
        trace.outcome = examination.outcome(in: names, guide: plan.scenario.guide)
        if let verdict { try plan.compare(verdict, with: trace) }
        return SupervisedRun(trace: trace, findings: examination.findings(in: names))
    }
}
