import Diagnosis
import Execution
import Exploration
import Glibc
import Machine
import Trace

/// Runs a scenario in a separate process, watches it, and returns its trace, however the process ended.
///
/// The child records into shared memory, so that a crash or a kill loses nothing. Must be called while the process has
/// one thread: it forks.
package struct Supervisor {
    let plan: RunPlan
    private let scratch: ScratchDirectory
    let choices: SharedChoices
    private let moments: MomentBoard?
    private let checkpoint: Checkpoint?
    private let recorder: Recorder
    private let reader: RecordingReader
    private var trace: TraceDocument
    private let observation: Observation
    private let watch: RunWatch?
    private let output: OutputPipe?
    private var lastOutput = LastOutput()
    private var ownTime: UInt64 = 0

    /// The interval between checks of a run, in nanoseconds. A deadlock is confirmed within three checks, so it is
    /// reported within 30 ms.
    static let period = 10_000_000
    static let signals = [SIGCHLD, SIGINT, SIGTERM, SIGHUP]
    /// What has been recorded when the time is over is read for this long, in nanoseconds.
    private static let timeToRead: UInt64 = 200_000_000
    /// What a run that was stopped because its time was over had recorded is read for this long: it may have recorded for much longer than that
    /// can be read, as many threads can, each of whose events is about all others.
    private static let timeToReadRest: UInt64 = 1_000_000_000
    /// While the run continues, its clock and its signals are looked at in between.
    private static let timeOfPass: UInt64 = 100_000_000
    private var leavesRest = false

    /// - Parameters:
    ///   - save: called with the finished trace. The recording's file is deleted only after it returns.
    ///   - watch: of a run on real threads. Of other runs nothing is known while they run.
    /// - Throws: `SupervisionFailed`, and the errors of `save`.
    package static func run(
        _ plan: RunPlan, save: (TraceDocument) throws -> Void = { _ in }, watch: RunWatch? = nil
    ) throws -> SupervisedRun {
        var supervisor = try Supervisor(plan, watch)
        // If nothing kills threadlab, the file goes, whatever fails: nothing is left half done.
        let recording = supervisor.recorder.memory
        defer { recording.deleteFile() }
        let run = try supervisor.run()
        try save(run.trace)
        return run
    }

    /// Runs the plan without saving the trace.
    static func finish(_ plan: RunPlan) throws(SupervisionFailed) -> SupervisedRun {
        var supervisor = try Supervisor(plan)
        return try supervisor.run()
    }

    /// What is shown of a run for which there is no time.
    static func nothing(of plan: RunPlan) throws(SupervisionFailed) -> SupervisedRun {
        var supervisor = try Supervisor(plan)
        return try supervisor.judge(.timeout)
    }

    // MARK: - Stepping

    /// Runs the scenario as far as the plan says.
    mutating func step() throws(SupervisionFailed) -> SteppedRun {
        _ = try run()
        return stepped
    }

    /// Continues a run that has paused, with these choices.
    ///
    /// - Returns: nil if no process waits for them.
    mutating func continueStep(_ choices: [Schedule.Choice]) throws(SupervisionFailed) -> SteppedRun? {
        guard let moments = moments?.list, moments.count > 0 else { return nil }
        let signals = BlockedSignals(Self.signals)
        defer { signals.restore() }
        let begin = RecordingClock.nanoseconds()
        guard let process = checkpoint?.resume(choices) else { return nil }
        // What threads would have done next was recorded too.
        trace.events.removeLast(max(0, trace.events.count - moments.events(before: moments.count - 1)))
        _ = try conclude(process, signals, since: begin)
        return stepped
    }

    private var stepped: SteppedRun {
        let misfit = trace.events.last.flatMap { $0.kind == .runDiverged ? trace.text(of: $0) : nil }
        return SteppedRun(
            trace: trace, schedule: choices.log.schedule, moments: moments?.list ?? MomentList(),
            isPaused: choices.verdict == .stopped && misfit == nil, misfit: misfit)
    }

    // MARK: -

    init(_ plan: RunPlan, _ watch: RunWatch? = nil) throws(SupervisionFailed) {
        self.plan = plan
        self.watch = plan.isNative ? watch : nil
        output = self.watch?.output == nil && !plan.keepsCrashMessage ? nil : try OutputPipe()
        trace = TraceDocument(header: plan.header)
        observation = Observation(plan.examination)
        scratch = try ScratchDirectory()
        choices = try SharedChoices(capacity: plan.isNative ? 0 : plan.rules.maximumSteps)
        if case .step(let steps) = plan.mode {
            moments = try MomentBoard()
            checkpoint = steps.then == .pause ? try Checkpoint() : nil
        } else {
            moments = nil
            checkpoint = nil
        }
        do throws(RecordingError) {
            let memory = try RecordingMemory(plan.recordingPath.map { .file($0) } ?? .shared)
            recorder =
                plan.isNative ? Recorder(memory: memory) : Recorder(memory: memory, clock: .virtual, order: .byLane)
            reader = try RecordingReader(
                attachingTo: memory, maximumEvents: plan.maximumEvents, placeOfCalls: plan.placeOfCalls)
            recorder.declareRun(plan.header)
        } catch {
            throw SupervisionFailed(error)
        }
    }

    private mutating func run() throws(SupervisionFailed) -> SupervisedRun {
        plan.scenario.prepareRecording()
        let signals = BlockedSignals(Self.signals)
        defer { signals.restore() }
        let begin = RecordingClock.nanoseconds()
        let child = try ForkedProcess.fork(for: "the run") { [self] in
            output?.connect()
            checkpoint?.connect()
            ForkedProcess.prepare()
            if plan.isSilent { ForkedProcess.silence() }
            signals.unblock()
            childRun.runAndExit()
        }
        return try conclude(child, signals, since: begin)
    }

    var childRun: ChildRun {
        ChildRun(
            plan: plan, recorder: recorder, choices: choices, scratch: scratch, moments: moments,
            checkpoint: checkpoint)
    }

    /// Watches over the process until it has ended, or waits for a choice, and judges the run.
    private mutating func conclude(
        _ child: pid_t, _ signals: BlockedSignals, since begin: UInt64
    ) throws(SupervisionFailed) -> SupervisedRun {
        var ending = watchOver(child, signals, since: begin)
        if let mistake = plan.scenario.ownMistake { throw SupervisionFailed(mistake) }
        if case .timeout = ending, plan.isNative, hasTooMuchToRead() { ending = .stepLimit(plan.mostEvents) }
        return try judge(ending, since: begin)
    }

    /// Judges the run, of which nothing more comes.
    ///
    /// - Parameter begin: when it began, of a run on real threads.
    mutating func judge(_ ending: ProcessEnding, since begin: UInt64 = 0) throws(SupervisionFailed) -> SupervisedRun {
        // What is not in the recording cannot be judged: that the disk is full is no way in which the program ended.
        if let refusal = recorder.memory.refusal { throw SupervisionFailed(refusal) }
        var ending = ending
        var isRead = true
        // What comes after the last step that counts could take longer to read than all before.
        if case .stepLimit = ending {
        } else {
            isRead = !leavesRest && drain(final: true, until: plan.end?.orAfter(Self.timeToRead))
        }
        if !isRead { ending = .timeout }
        // While it waits for a choice, what follows the last decision has not happened.
        if moments != nil, !isPaused { observation.consume(trace.events[...]) }
        let end = RecordingClock.nanoseconds()
        if let finish = watch?.finish { finish(progress(after: RecordingClock.nanoseconds() - begin)) }
        finish(ending, after: end - min(recorder.start, end))
        if isRead, let verdict = choices.verdict { try plan.compare(verdict, with: trace) }
        // The judge of the events and the watch must agree.
        if case .deadlock = ending, trace.outcome?.kind == .interrupted {
            throw .internalError(
                "a run was ended because its threads could not continue, but its events do not show it")
        }
        let findings = explainedFindings()
        // A run that is stepped has findings later.
        if moments == nil { trace.keepCalls(of: findings.flatMap(\.sites)) }
        return SupervisedRun(trace: trace, findings: findings, ownTime: ownTime)
    }

    /// The findings, of which the one that decides says by which calls its places were reached.
    private mutating func explainedFindings() -> [Finding] {
        let findings = observation.examination.findings(in: Names(trace))
        guard let explainer = plan.explainer, let finding = Finding.deciding(trace.outcome, among: findings) else {
            return findings
        }
        explainer.explain(finding, in: &trace, site: reader.number)
        // Objects may have other names now.
        let names = Names(trace)
        trace.outcome = observation.examination.outcome(in: names, guide: plan.scenario.guide)
        return observation.examination.findings(in: names)
    }

    /// Reads the events recorded since the last time.
    ///
    /// - Parameter end: what is not read then is left.
    /// - Returns: whether all of them have been read.
    @discardableResult
    private mutating func drain(final: Bool, until end: Deadline? = nil) -> Bool {
        let observation = observation
        let isStepped = moments != nil
        let watch = watch
        func isOver() -> Bool { end?.isOver ?? false }
        let isComplete = reader.drain(into: &trace, final: final, unless: isOver) { events in
            if !isStepped { observation.consume(events) }
            watch?.consume?(events)
        }
        passOutput()
        return isComplete
    }

    /// Passes on what the program has written since the last time.
    private mutating func passOutput() {
        // A program that writes without end must not keep this from anything else.
        for _ in 0..<64 {
            guard let text = output?.read() else { return }
            if plan.keepsCrashMessage { lastOutput.add(text) }
            if let pass = watch?.output { pass(text) } else { _ = write(STDERR_FILENO, text, text.count) }
        }
    }

    private var eventCount: Int { trace.events.count + trace.dropped }
    private var hasTooManyEvents: Bool { eventCount > plan.mostEvents }

    /// Reads what a run has recorded that was stopped because its time was over: its reader may be far behind it.
    ///
    /// - Returns: whether that is more than counts. Then it is not all read.
    private mutating func hasTooMuchToRead() -> Bool {
        let end = Deadline(after: Self.timeToReadRest)
        while !hasTooManyEvents {
            if drain(final: false, until: end) { return false }
            if end.isOver {
                leavesRest = true
                return false
            }
        }
        return true
    }

    /// Whether a person steps the run, and it waits for a choice: it has no end to judge.
    private var isPaused: Bool { moments != nil && choices.verdict == .stopped }

    // MARK: - While it runs

    private mutating func watchOver(_ child: pid_t, _ signals: BlockedSignals, since begin: UInt64) -> ProcessEnding {
        var periods: UInt64 = 0
        var isComplete = true
        var clock = plan.ownClock
        while true {
            let signal = signals.wait(nanoseconds: isComplete ? Self.period : 0)
            if let ending = ProcessEnding(of: child) { return ending }
            if let signal, signal != SIGCHLD { return ProcessEnding.stop(child, .interrupted(signal)) }
            if plan.isNative {
                isComplete = drain(final: false, until: Deadline(after: Self.timeOfPass))
                if recorder.memory.refusal != nil { return ProcessEnding.stop(child, .timeout) }
                let threads = reader.kernelThreads
                if isComplete, observation.seesDeadlock(reader, { KernelSleep.areAllAsleep(threads, of: child) }) {
                    return ProcessEnding.stop(child, .deadlock)
                }
                if hasTooManyEvents { return ProcessEnding.stop(child, .stepLimit(plan.mostEvents)) }
                let elapsed = RecordingClock.nanoseconds() - begin
                if let watch, elapsed / watch.period > periods {
                    periods = elapsed / watch.period
                    watch.show(progress(after: elapsed, isComplete))
                }
            } else {
                passOutput()
            }
            clock.read(process: child)
            ownTime = clock.time
            if plan.clock?() ?? ownTime > plan.timeout || plan.end?.isOver ?? false {
                return ProcessEnding.stop(child, .timeout)
            }
        }
    }

    /// - Parameter isComplete: whether all events have been read. Otherwise the last one that has says how late it is.
    private func progress(after elapsed: UInt64, _ isComplete: Bool = true) -> RunProgress {
        let now = RecordingClock.nanoseconds()
        let time = isComplete ? now - min(recorder.start, now) : trace.events.last?.time ?? 0
        return RunProgress(elapsed: elapsed, time: time, trace: trace, examination: observation.examination)
    }

    // MARK: - When it has ended

    private mutating func finish(_ ending: ProcessEnding, after elapsed: UInt64) {
        let last = trace.events.last?.time ?? 0
        let time = plan.isNative ? max(elapsed, last) : last
        // A compiled program has recorded it.
        if case .died = ending, trace.events.last?.kind != .runMessage,
            let message = CrashMessage(in: lastOutput.bytes)
        {
            add(message, at: time)
        }
        if let (kind, value) = ending.event(limit: plan.timeout, hasEnded: choices.hasEnded) {
            add(kind, value: value, at: time)
        }
        if plan.isNative, case .exited(0) = ending { review(at: time) }
        if !plan.isNative { trace.header.schedule = choices.log.schedule.description }
        if isPaused { return }
        trace.outcome = observation.examination.outcome(in: Names(trace), guide: plan.scenario.guide)
    }

    private mutating func add(_ message: CrashMessage, at time: UInt64) {
        trace.texts.append(message.text)
        trace.sites.append(message.site)
        let site = SiteID(trace.sites.count - 1)
        add(.runMessage, value: Int64(trace.texts.count - 1), at: time, site: site)
    }

    private mutating func add(_ kind: EventKind, value: Int64, at time: UInt64, site: SiteID = .unknown) {
        let event = Event(time: time, thread: .main, kind: kind, value: value, site: site)
        trace.events.append(event)
        observation.consume(trace.events.suffix(1))
    }

    /// Reviews what the process left behind, if it ended by itself.
    private mutating func review(at time: UInt64) {
        guard observation.examination.graph.ending?.kind == .runExit else { return }
        plan.reviews(false)
        defer { plan.reviews(true) }
        Review(plan.scenario, DirectoryRecords(directory: scratch.path)).write { kind, text in
            trace.texts.append(text)
            add(kind, value: Int64(trace.texts.count - 1), at: time)
        }
    }
}

extension RunPlan {
    var isNative: Bool {
        if case .native = mode { return true }
        return false
    }

    /// The scheduler and the judge of the events must agree on how a controlled run ended.
    /// One whose process was ended for want of time has none: the scheduler may have had its end, and the process not yet.
    func compare(_ verdict: Verdict, with trace: TraceDocument) throws(SupervisionFailed) {
        guard trace.events.last?.kind != .runTimeout, let judged = trace.outcome?.kind,
            let difference = verdict.disagreement(with: judged, judgesLockOrder: scenario.judgesLockOrder)
        else { return }
        throw .internalError(difference, repeatedBy: scenario.replayArguments(trace.header))
    }
}
