import Text
import Trace

/// Finds out in which state the run stopped: deadlocked, hanging, crashed, killed or interrupted.
package struct EndingDetector: Detector {
    private var unwoken = UnwokenWaiters()
    private var untaken = UntakenSignals()
    private var calls = LoopCalls()
    private var operations = UnfinishedOperations()
    /// The event that stopped the run, if the run did not end by itself. If it did and the process was stopped
    /// afterwards, the event that stopped the process.
    private var stop: Event?
    /// The last event before `stop`. A program that crashes or loops forever does so in the code after it.
    private var last: Event?
    /// What the program wrote before it crashed, or recorded about a signal that it sent to itself.
    private var message: Event?
    /// Why a compiled program crashes (`EventKind.crashReason`).
    private var reason: Event?

    /// The number of steps in the cycle that the run can repeat forever while it makes progress.
    private(set) var stepsForever: Int?
    /// Whether the run ended by itself.
    private(set) var hasReachedEnd = false

    /// The threads that make no progress in a cycle of the run.
    private var starving: [ThreadID] = []

    /// Whether the run was stopped at the step limit.
    var hasTooManySteps: Bool { stop?.kind.effect.end == .stepLimit }

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        if event.kind == .runMessage { message = event }
        if event.kind == .crashReason { reason = event }
        untaken.consume(event, run.graph)
        if !run.isOver {
            unwoken.consume(event, run)
            calls.consume(event)
            operations.consume(event)
        }
        guard let end = event.kind.effect.end else {
            if stop == nil && event.kind != .runMessage && event.kind != .crashReason { last = event }
            return
        }
        if end.isOwn { hasReachedEnd = true } else if stop == nil { stop = event }
        if end == .starvation { starving.append(event.thread) }
        if end == .forever { stepsForever = Int(event.value) }
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        [violentEnd(names, run), deadlock(names, run) ?? hang(names, run)].compactMap(\.self)
    }

    /// The outcome if the user interrupted the run, or the run could not follow its schedule: neither says anything
    /// about the program. Otherwise nil.
    func interruption(_ names: Names, _ run: RunState) -> Outcome? {
        let end = stop?.kind.effect.end
        if end == .diverged {
            let text = stop.flatMap { names.trace.text(of: $0) } ?? "it had other choices"
            return Outcome(.interrupted, summary: "The run could not follow its schedule: \(text).")
        }
        guard end == .interrupted else { return nil }
        return Outcome(
            .interrupted, summary: "The run was interrupted\(signalName).",
            details: signalMeaning + activity(names, run).lines)
    }

    private func activity(_ names: Names, _ run: RunState) -> ActivityStory {
        ActivityStory(names: names, graph: run.graph, lastEvents: run.lastEvents, untaken: untaken)
    }

    /// See `Examination.activity`.
    ///
    /// - Parameter time: the time of the run.
    func activity(_ names: Names, _ run: RunState, at time: UInt64) -> [String] {
        activity(names, run).phrases(at: time)
    }

    /// The outcome of a trace that ends before the run does, because its writer was killed.
    func cutOff(_ names: Names, _ run: RunState) -> Outcome {
        Outcome(
            .interrupted, summary: "The trace ends before the run does: threadlab was killed, or the machine stopped.",
            details: activity(names, run).lines)
    }

    // MARK: - Killed or crashed

    /// The finding if the process quit, was killed or crashed.
    private func violentEnd(_ names: Names, _ run: RunState) -> Finding? {
        switch stop?.kind.effect.end {
        case .quit:
            return crash(
                "The program quit with status \(stop?.value ?? 0) before the scenario had finished.", [], names, run)
        case .killed:
            if let own = ownKill(names) {
                let place = names.place(own.site).map { " at \($0)" } ?? ""
                return crash("The program killed itself\(place)\(signalName).", [], names, run, at: own.site)
            }
            return crash("The program was killed from outside\(signalName).", signalMeaning, names, run)
        case .crash:
            if let reason { return CrashStory(names: names, reason: reason, stop: stop).finding(activity(names, run)) }
            if let message, let text = names.trace.text(of: message) {
                let place = names.place(message.site).map { " at \($0)" } ?? ""
                let signal = "The signal was \(SignalName.name(stop?.value ?? 0))."
                return crash("The program crashed\(place): \(text)", [signal], names, run, at: message.site)
            }
            return crash("The program crashed\(signalName).", signalMeaning, names, run)
        case .exit, .completion, .forever, .timeout, .stepLimit, .cycle, .starvation, .interrupted, .diverged, nil:
            return nil
        }
    }

    /// The message that a compiled program recorded about a signal that it sent to itself. Nil if another process sent
    /// the signal.
    private func ownKill(_ names: Names) -> Event? {
        guard let message, let stop, let text = names.trace.text(of: message) else { return nil }
        return text.hasPrefix("Fatal error: signal \(stop.value) ") ? message : nil
    }

    private func crash(
        _ summary: String, _ meaning: [String], _ names: Names, _ run: RunState, at site: SiteID = .unknown
    ) -> Finding {
        let activity = activity(names, run)
        return Finding(
            .crash, summary: summary, story: meaning + activity.lines, threads: activity.threads,
            objects: [last?.object ?? .none], sites: [site, last?.site ?? .unknown])
    }

    /// What the signal in `stop` usually means, as a line. Empty if no meaning is known.
    private var signalMeaning: [String] {
        guard let stop, let meaning = SignalName.explanation(stop.value) else { return [] }
        return ["\(SignalName.name(stop.value)): \(meaning)."]
    }

    /// The name of the signal in `stop`, in parentheses and after a space. Empty if there is none.
    private var signalName: String {
        guard let stop, stop.value != 0 else { return "" }
        return " (\(SignalName.name(stop.value)))"
    }

    // MARK: - By itself

    /// The finding if threads wait in a cycle, or every thread is blocked.
    private func deadlock(_ names: Names, _ run: RunState) -> Finding? {
        let story = DeadlockStory(
            names: names, graph: run.graph, unwoken: unwoken, calls: calls, operations: operations)
        let cycles = run.graph.cycles()
        if !cycles.isEmpty { return story.finding(cycles) }
        guard isStandstill(run.graph) else { return nil }
        return story.findingOfSpinning ?? story.findingWithoutCycle
    }

    /// Whether the run stopped with every thread blocked. False once the main thread has returned: waiting threads are
    /// then cut off, and `LeakDetector` decides whether that is a fault. False also if the process crashed or quit, or
    /// the run could not follow its schedule.
    private func isStandstill(_ graph: WaitForGraph) -> Bool {
        switch graph.ending?.kind.effect.end {
        case .exit, .completion, .crash, .quit, .diverged: false
        // The run was cut off at a limit, or because it repeats itself, so the events alone must show that no thread
        // was about to continue.
        case .timeout, .stepLimit, .cycle, .starvation, .forever:
            graph.allBlocked && !graph.blocked.contains(where: isPerhapsOver)
        case .killed, .interrupted, nil: graph.allBlocked
        }
    }

    /// Whether the wait may already be over, although the thread has not recorded yet that it continues.
    private func isPerhapsOver(_ wait: Wait) -> Bool {
        switch wait.target {
        case .condition(let object, _), .semaphore(let object): untaken.count(of: object) > 0
        case .memory, .spin: true
        case .mutex, .reading, .writing, .thread: false
        }
    }

    /// The finding if the run was stopped at a limit, or because it repeats itself.
    private func hang(_ names: Names, _ run: RunState) -> Finding? {
        guard let stop else { return nil }
        switch stop.kind.effect.end {
        case .timeout:
            let limit = stop.value > 0 ? " after \(ReadableDuration.text(nanoseconds: stop.value))" : ""
            return timeout(
                "The run was still going\(limit) and was stopped. "
                    + (stuckBeside(names, run) ?? "It is not deadlocked, but did not end either."), names, run)
        case .stepLimit:
            let steps = Names.count(Int(stop.value), "step")
            return timeout(
                "The run did not end within \(steps): "
                    + (stuckBeside(names, run) ?? "the threads keep running, perhaps without progress."), names, run)
        case .cycle: return livelock(Int(stop.value), names, run)
        case .starvation: return starvation(stop, names, run)
        case .exit, .completion, .forever, .quit, .killed, .crash, .interrupted, .diverged, nil: return nil
        }
    }

    /// Describes the threads that wait for a signal or permit which only a running thread could send. Whether one would
    /// have sent it is not known. Nil if there are no such threads.
    private func stuckBeside(_ names: Names, _ run: RunState) -> String? {
        let alive = run.graph.alive
        let running = alive.filter { !run.graph.isStuck($0) }
        let stuck = alive.compactMap(run.graph.wait).filter { wait in
            guard run.graph.isStuck(wait.thread), !isPerhapsOver(wait) else { return false }
            return switch wait.target {
            case .semaphore, .condition: true
            case .mutex, .reading, .writing, .memory, .spin, .thread: false
            }
        }
        guard !running.isEmpty, !stuck.isEmpty else { return nil }
        var objects: [String] = []
        for name in stuck.compactMap(\.object).map(names.name) where !objects.contains(name) { objects.append(name) }
        let wait = stuck.count == 1 ? "is stuck, waiting" : "are stuck, waiting"
        let others = running.count > 3 ? "the \(running.count) threads" : names.list(running)
        let verb = running.count == 1 ? "runs" : "run"
        return "\(names.list(stuck.map(\.thread))) \(wait) for \(Names.list(objects)): "
            + "only \(others), which still \(verb), could signal."
    }

    private func livelock(_ steps: Int, _ names: Names, _ run: RunState) -> Finding {
        let activity = activity(names, run)
        return Finding(
            .livelock,
            summary: "No progress: the run has returned to its state of \(Names.count(steps, "step")) ago, "
                + "and can repeat this forever.",
            story: activity.lines, threads: activity.threads)
    }

    private func starvation(_ stop: Event, _ names: Names, _ run: RunState) -> Finding {
        let activity = activity(names, run)
        let threads = names.list(starving)
        let isOne = starving.count == 1
        return Finding(
            .endlessStarvation,
            summary:
                "\(threads) \(isOne ? "starves" : "starve"): the run has returned to its state of "
                + "\(Names.count(Int(stop.value), "step")) ago. It can repeat this forever, and \(threads) "
                + "\(isOne ? "makes" : "make") no progress in it, though others do.",
            story: activity.lines, threads: starving)
    }

    private func timeout(_ summary: String, _ names: Names, _ run: RunState) -> Finding {
        let activity = activity(names, run)
        return Finding(
            .timeout, summary: summary, story: activity.lines + operations.lines(names), threads: activity.threads)
    }
}
