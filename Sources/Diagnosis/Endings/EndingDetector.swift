import Trace

/// How the run stood when it stopped: deadlocked, hanging, crashed or interrupted.
package struct EndingDetector: Detector {
    private var graph = WaitForGraph()
    private var lastEvents = PerThread<Event?>(nil)
    private var unheard = UnheardSignals()
    /// The event by which the run was stopped, if it did not come to its own end; or the process, even after that.
    private var stop: Event?

    package init() {}

    package mutating func consume(_ event: Event) {
        unheard.consume(event, graph)
        graph.consume(event)
        if graph.ending == nil { lastEvents[event.thread] = event }
        if stop == nil && event.kind.stopsRun { stop = event }
    }

    package func findings(in words: Words) -> [Outcome] {
        [violentEnd(words), deadlock(words) ?? hang(words)].compactMap(\.self)
    }

    private func activity(_ words: Words) -> ActivityStory {
        ActivityStory(words: words, graph: graph, lastEvents: lastEvents)
    }

    /// The trace ends here, and the run did not: whoever wrote it is gone.
    func cutOff(_ words: Words) -> Outcome {
        Outcome(
            .interrupted, summary: "The trace stops before the run does: threadlab was killed, or the machine stopped.",
            details: activity(words).lines)
    }

    // MARK: - From outside, or by a crash

    private func violentEnd(_ words: Words) -> Outcome? {
        guard let stop else { return nil }
        switch stop.kind {
        case .runDiverged:
            let text = words.trace.text(of: stop) ?? "it had other choices"
            return Outcome(.interrupted, summary: "The run could not follow its schedule: \(text).")
        case .runQuit:
            return Outcome(
                .crash, summary: "The program quit with status \(stop.value) before the scenario was done.",
                details: activity(words).lines)
        case .runInterrupted:
            return Outcome(
                .interrupted, summary: "The run was interrupted\(signal(stop)).",
                details: explanation(stop) + activity(words).lines)
        case .runKilled:
            return Outcome(
                .crash, summary: "The program was killed from outside\(signal(stop)).",
                details: explanation(stop) + activity(words).lines)
        case .runCrash:
            return Outcome(
                .crash, summary: "The program crashed\(signal(stop)).",
                details: explanation(stop) + activity(words).lines)
        default: return nil
        }
    }

    private func explanation(_ stop: Event) -> [String] {
        SignalName.explanation(stop.value).map { ["\(SignalName.name(stop.value)): \($0)."] } ?? []
    }

    private func signal(_ stop: Event) -> String {
        stop.value == 0 ? "" : " (\(SignalName.name(stop.value)))"
    }

    // MARK: - By itself

    private func deadlock(_ words: Words) -> Outcome? {
        let story = DeadlockStory(words: words, graph: graph, unheard: unheard)
        let cycles = graph.cycles()
        if !cycles.isEmpty { return story.outcome(cycles) }
        return isStandstill ? story.outcomeWithoutCycle : nil
    }

    /// Whether the run stopped with every thread blocked. Once the main thread has left, those that wait on are cut off;
    /// whether that is a fault is the leak detector's question.
    private var isStandstill: Bool {
        switch graph.ending?.kind {
        case .runExit, .runComplete, .runCrash, .runQuit, .runDiverged: false
        default: graph.allBlocked
        }
    }

    private func hang(_ words: Words) -> Outcome? {
        guard let stop else { return nil }
        switch stop.kind {
        case .runTimeout:
            let limit = stop.value > 0 ? " after \(ReadableDuration.text(nanoseconds: stop.value))" : ""
            return Outcome(
                .timeout, summary: "The run was still going\(limit), and was stopped: no deadlock, but no end either.",
                details: activity(words).lines)
        case .runStepLimit:
            let steps = Words.count(Int(stop.value), "step")
            return Outcome(
                .timeout, summary: "No end is in sight after \(steps): the threads go on, perhaps in circles.",
                details: activity(words).lines)
        default: return nil
        }
    }
}

extension EventKind {
    /// Whether something other than the program's own end stopped the run.
    fileprivate var stopsRun: Bool {
        switch self {
        case .runTimeout, .runStepLimit, .runCrash, .runKilled, .runQuit, .runInterrupted, .runDiverged: true
        default: false
        }
    }
}
