import Text
import Trace

/// The state in which the run stopped: deadlocked, hanging, crashed or interrupted.
package struct EndingDetector: Detector {
    private(set) var graph = WaitForGraph()
    private var lastEvents = PerThread<Event?>(nil)
    private var unheard = UnheardSignals()
    private var untaken = UntakenSignals()
    private var calls = LoopCalls()
    /// The event by which the run was stopped, if it did not end by itself; or the process, even after that.
    private var stop: Event?

    /// The number of steps that the run can repeat forever, making progress.
    private(set) var stepsForever: Int?
    /// Whether the run ended by itself.
    private(set) var hasReachedEnd = false

    package init() {}

    package mutating func consume(_ event: Event) {
        unheard.consume(event, graph)
        untaken.consume(event, graph)
        if graph.ending == nil { calls.consume(event) }
        graph.consume(event)
        if graph.ending == nil {
            lastEvents[event.thread] = event
            return
        }
        let effect = event.kind.effect
        if effect.isOwnEnd { hasReachedEnd = true }
        if effect == .endRun(.forever) { stepsForever = Int(event.value) }
        switch effect {
        case .endRun(.givenUp), .endRun(.death), .endRun(.stop): if stop == nil { stop = event }
        default: break
        }
    }

    package func findings(in names: Names) -> [Finding] {
        [violentEnd(names), deadlock(names) ?? hang(names)].compactMap(\.self)
    }

    /// The outcome if the run was stopped from outside, which says nothing about the program. Nil if it was not.
    func interruption(_ names: Names) -> Outcome? {
        switch stop?.kind {
        case .runDiverged:
            let text = stop.flatMap { names.trace.text(of: $0) } ?? "it had other choices"
            return Outcome(.interrupted, summary: "The run could not follow its schedule: \(text).")
        case .runInterrupted:
            return Outcome(
                .interrupted, summary: "The run was interrupted\(signalName).",
                details: signalMeaning + activity(names).lines)
        default: return nil
        }
    }

    private func activity(_ names: Names) -> ActivityStory {
        ActivityStory(names: names, graph: graph, lastEvents: lastEvents, untaken: untaken)
    }

    /// What each thread of a run in progress is doing, in a few words.
    ///
    /// - Parameter time: the time of the run.
    func activity(_ names: Names, at time: UInt64) -> [String] { activity(names).phrases(at: time) }

    /// The outcome of a trace that ends before the run does: its writer was killed.
    func cutOff(_ names: Names) -> Outcome {
        Outcome(
            .interrupted, summary: "The trace ends before the run does: threadlab was killed, or the machine stopped.",
            details: activity(names).lines)
    }

    // MARK: - Killed or crashed

    private func violentEnd(_ names: Names) -> Finding? {
        switch stop?.kind {
        case .runQuit:
            return crash("The program quit with status \(stop?.value ?? 0) before the scenario had finished.", names)
        case .runKilled: return crash("The program was killed from outside\(signalName).", names)
        case .runCrash: return crash("The program crashed\(signalName).", names)
        default: return nil
        }
    }

    private func crash(_ summary: String, _ names: Names) -> Finding {
        let activity = activity(names)
        let meaning = stop?.kind == .runQuit ? [] : signalMeaning
        return Finding(.crash, summary: summary, story: meaning + activity.lines, threads: activity.threads)
    }

    private var signalMeaning: [String] {
        guard let stop, let meaning = SignalName.explanation(stop.value) else { return [] }
        return ["\(SignalName.name(stop.value)): \(meaning)."]
    }

    private var signalName: String {
        guard let stop, stop.value != 0 else { return "" }
        return " (\(SignalName.name(stop.value)))"
    }

    // MARK: - By itself

    private func deadlock(_ names: Names) -> Finding? {
        let story = DeadlockStory(names: names, graph: graph, unheard: unheard, calls: calls)
        let cycles = graph.cycles()
        if !cycles.isEmpty { return story.finding(cycles) }
        guard isStandstill else { return nil }
        return story.findingOfSpinning ?? story.findingWithoutCycle
    }

    /// Whether the run stopped with every thread blocked. Once the main thread has returned, waiting threads are cut
    /// off; whether that is a fault is up to the leak detector.
    private var isStandstill: Bool {
        switch graph.ending?.kind {
        case .runExit, .runComplete, .runCrash, .runQuit, .runDiverged: false
        // The run was cut off, but not because it was stuck: the events alone must show that no thread was about to
        // continue.
        case .runTimeout, .runStepLimit, .runCycle, .runStarvation, .runForever:
            graph.allBlocked && !graph.blocked.contains(where: isPerhapsOver)
        default: graph.allBlocked
        }
    }

    /// Whether the thread may already have what it waits for, but has not been seen to continue.
    private func isPerhapsOver(_ wait: Wait) -> Bool {
        switch wait.target {
        case .condition(let object, _), .semaphore(let object): untaken.count(of: object) > 0
        case .memory, .spin: true
        case .mutex, .reading, .writing, .thread: false
        }
    }

    private func hang(_ names: Names) -> Finding? {
        guard let stop else { return nil }
        switch stop.kind {
        case .runTimeout:
            let limit = stop.value > 0 ? " after \(ReadableDuration.text(nanoseconds: stop.value))" : ""
            return timeout(
                "The run was still going\(limit) and was stopped. It is not deadlocked, but did not end either.", names)
        case .runStepLimit:
            let steps = Names.count(Int(stop.value), "step")
            return timeout(
                "The run did not end within \(steps): the threads keep running, perhaps without progress.", names)
        case .runCycle: return livelock(Int(stop.value), names)
        case .runStarvation: return starvation(stop, names)
        default: return nil
        }
    }

    private func livelock(_ steps: Int, _ names: Names) -> Finding {
        let activity = activity(names)
        return Finding(
            .livelock,
            summary: "No progress: the run has returned to its state of \(Names.count(steps, "step")) ago, "
                + "and can repeat this forever.",
            story: activity.lines, threads: activity.threads)
    }

    private func starvation(_ stop: Event, _ names: Names) -> Finding {
        let activity = activity(names)
        let thread = names.name(stop.thread)
        return Finding(
            .endlessStarvation,
            summary:
                "\(thread) starves: the run has returned to its state of \(Names.count(Int(stop.value), "step")) ago. "
                + "It can repeat this forever, and \(thread) makes no progress in it, though others do.",
            story: activity.lines, threads: [stop.thread])
    }

    private func timeout(_ summary: String, _ names: Names) -> Finding {
        let activity = activity(names)
        return Finding(.timeout, summary: summary, story: activity.lines, threads: activity.threads)
    }
}
