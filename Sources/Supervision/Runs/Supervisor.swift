import Diagnosis
import Execution
import Exploration
import Glibc
import Machine
import Trace

/// Runs a scenario in a separate process, watches it, and returns its trace, however the process ends.
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

    /// The interval between checks of a run, in nanoseconds. A deadlock is usually confirmed by the second or third
    /// check that sees it, so it is reported within about 30 ms.
    static let period = 10_000_000
    static let signals = [SIGCHLD, SIGINT, SIGTERM, SIGHUP]
    /// The time for reading the remaining events when the command's time is over, in nanoseconds.
    private static let timeToRead: UInt64 = 200_000_000
    /// The time for reading the remaining events of a run that was stopped because its time was over, in nanoseconds.
    /// The run may have recorded much more than can be read, for example if it has many threads and each event concerns
    /// all of them.
    private static let timeToReadRest: UInt64 = 1_000_000_000
    /// The maximum time of one pass of reading, after which the run's clock and signals are examined, in nanoseconds.
    private static let timeOfPass: UInt64 = 100_000_000
    /// Whether the remaining events are not read, because there was no time to read them all.
    private var leavesRest = false

    /// - Parameters:
    ///   - save: called with the finished trace. The recording's file is deleted only after it returns.
    ///   - watch: observes the run, if it is native. The events of other runs are only read after their end.
    /// - Throws: `SupervisionFailed`, and the errors of `save`.
    package static func run(
        _ plan: RunPlan, save: (TraceDocument) throws -> Void = { _ in }, watch: RunWatch? = nil
    ) throws -> SupervisedRun {
        var supervisor = try Supervisor(plan, watch)
        // The file is deleted whatever fails. It remains only if threadlab itself is killed.
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

    /// The result in place of a run that is not made because the time is over: a trace without steps that ends in
    /// `timeout`.
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

    /// Continues a paused run with these choices.
    ///
    /// - Returns: nil if no process waits for choices.
    mutating func continueStep(_ choices: [Schedule.Choice]) throws(SupervisionFailed) -> SteppedRun? {
        guard let moments = moments?.list, moments.count > 0 else { return nil }
        let signals = BlockedSignals(Self.signals)
        defer { signals.restore() }
        let begin = RecordingClock.nanoseconds()
        guard let process = checkpoint?.resume(choices) else { return nil }
        // The recording also contains what threads would have done next. That has not happened.
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

    // MARK: - The process

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

    /// Watches the process until it has ended, perhaps leaving a copy that waits for a choice, and judges the run.
    private mutating func conclude(
        _ child: pid_t, _ signals: BlockedSignals, since begin: UInt64
    ) throws(SupervisionFailed) -> SupervisedRun {
        var ending = watchOver(child, signals, since: begin)
        if let mistake = plan.scenario.ownMistake { throw SupervisionFailed(mistake) }
        if case .timeout = ending, plan.isNative, hasTooMuchToRead() { ending = .stepLimit(plan.mostEvents) }
        return try judge(ending, since: begin)
    }

    /// Judges the run, which records no further events.
    ///
    /// - Parameter begin: when a native run began.
    mutating func judge(_ ending: ProcessEnding, since begin: UInt64 = 0) throws(SupervisionFailed) -> SupervisedRun {
        // A recording that is incomplete because the disk is full cannot be judged, and says nothing about the program.
        if let refusal = recorder.memory.refusal { throw SupervisionFailed(refusal) }
        var ending = ending
        var isRead = true
        // If the run was ended because of its number of events, the remaining ones are not read: they may be more than
        // all read so far.
        if case .stepLimit = ending {
        } else {
            isRead = !leavesRest && drain(final: true, until: plan.end?.orAfter(Self.timeToRead))
        }
        if !isRead { ending = .timeout }
        // While the run waits for a choice, the events after its last decision have not happened.
        if moments != nil, !isPaused { observation.consume(trace.events[...]) }
        let now = RecordingClock.nanoseconds()
        if let report = watch?.finish { report(progress(after: RecordingClock.nanoseconds() - begin)) }
        complete(ending, after: now - min(recorder.start, now))
        if isRead, let verdict = choices.verdict { try plan.compare(verdict, with: trace) }
        // The judge of the events and the deadlock watch must agree.
        if case .deadlock = ending, trace.outcome?.kind == .interrupted {
            throw .internalError(
                "a run was ended because its threads could not continue, but its events do not show it")
        }
        let findings = explainedFindings()
        // Calls at places of no finding are dropped, except from a run that a person steps: findings may still come.
        if moments == nil { trace.keepCalls(of: findings.flatMap(\.sites)) }
        return SupervisedRun(trace: trace, findings: findings, ownTime: ownTime)
    }

    /// The findings. If the plan explains calls, the trace also gets those that led to the places of the finding that
    /// decides the outcome.
    private mutating func explainedFindings() -> [Finding] {
        let findings = observation.examination.findings(in: Names(trace))
        guard let explainer = plan.explainer, let finding = Finding.deciding(trace.outcome, among: findings) else {
            return findings
        }
        explainer.explain(finding, in: &trace, site: reader.number)
        // The explainer may have renamed objects.
        let names = Names(trace)
        trace.outcome = observation.examination.outcome(in: names, guide: plan.scenario.guide)
        return observation.examination.findings(in: names)
    }

    /// Reads the events that were recorded since the last time.
    ///
    /// - Parameter end: when reading stops, even if events are left.
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
        // Bounded, so that endless output does not keep the supervisor from other work.
        for _ in 0..<64 {
            guard let text = output?.read() else { return }
            if plan.keepsCrashMessage { lastOutput.add(text) }
            if let pass = watch?.output { pass(text) } else { _ = write(STDERR_FILENO, text, text.count) }
        }
    }

    private var eventCount: Int { trace.events.count + trace.dropped }
    private var hasTooManyEvents: Bool { eventCount > plan.mostEvents }

    /// Reads the remaining events of a run that was stopped because its time was over. The reader may be far behind.
    ///
    /// - Returns: whether reading has ended because there are too many events. If it has ended because the time to read
    ///   them was over, the result is false, and `leavesRest` is set.
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

    /// Whether a person steps the run and it waits for a choice, so that there is no end to judge.
    private var isPaused: Bool { moments != nil && choices.verdict == .stopped }

    // MARK: - During the run

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

    /// - Parameter isComplete: whether all events have been read. Otherwise the time is that of the last event read.
    private func progress(after elapsed: UInt64, _ isComplete: Bool = true) -> RunProgress {
        let now = RecordingClock.nanoseconds()
        let time = isComplete ? now - min(recorder.start, now) : trace.events.last?.time ?? 0
        return RunProgress(elapsed: elapsed, time: time, trace: trace, examination: observation.examination)
    }

    // MARK: - After the run

    /// Completes the trace: with the events that only the supervisor knows, the schedule, and the outcome.
    ///
    /// - Parameter elapsed: the time since the recording began, in nanoseconds.
    private mutating func complete(_ ending: ProcessEnding, after elapsed: UInt64) {
        let last = trace.events.last?.time ?? 0
        let time = plan.isNative ? max(elapsed, last) : last
        // A compiled program has already recorded its message.
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

    /// Throws an internal error if the scheduler and the judge of the events disagree on how a controlled run ended.
    /// They may disagree if its process was ended because its time was over: the scheduler may have noted the end of
    /// the run just before that.
    func compare(_ verdict: Verdict, with trace: TraceDocument) throws(SupervisionFailed) {
        guard trace.events.last?.kind != .runTimeout, let judged = trace.outcome?.kind,
            let difference = verdict.disagreement(with: judged, judgesLockOrder: scenario.judgesLockOrder)
        else { return }
        throw .internalError(difference, repeatedBy: scenario.replayArguments(trace.header))
    }
}
