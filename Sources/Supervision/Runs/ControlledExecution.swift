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
    ///   - witness: notes the calls in progress at each operation.
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

    /// - Returns: the verdict, as a search of the scenario would report it.
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

    /// Records why the run could not follow the schedule of a chooser that replays one, if it could not.
    func noteMisfit(of chooser: any Chooser, _ verdict: Verdict) {
        guard let replay = chooser as? Replay, let text = misfit(of: replay, verdict) else { return }
        noteMisfit(text)
    }

    func noteMisfit(_ text: String) {
        sink.append(.runDiverged, thread: 0, object: 0, value: sink.text(text), site: .unknown, time: time)
    }

    private func misfit(of replay: Replay, _ verdict: Verdict) -> String? {
        // A thread that does not belong to the run ended it, wherever that was in the schedule.
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

/// Writes the events of a controlled run into a recording, with all threads on one lane: in the order in which they happen
/// (`LaneOrder.byLane`).
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

    /// Records on a new lane from here on: the present one has events that have not happened.
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

    func declareObject(_ object: UInt32, kind: ObjectKind, name: String, maker: ThreadID) {
        recorder.declareObject(object, kind: kind, name: name, maker: maker)
    }

    func declarePart(_ object: UInt32, of owner: UInt32) { recorder.declarePart(object, of: owner) }

    func text(_ text: String) -> Int { Int(recorder.text(text)) }
}

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
    ///   - isOver: whether there is no more time for it. Nil: it has all the time that it needs.
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

    /// - Returns: nil if there was not enough time.
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
        // Objects may have other names now.
        return try judge(&trace, verdict)
    }

    /// The same for a process that a person may interrupt: a signal that arrives meanwhile is an event of the trace.
    ///
    /// - Returns: nil if there was not enough time.
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
