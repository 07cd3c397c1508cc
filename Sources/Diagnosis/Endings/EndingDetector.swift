import Trace

/// How the run stood when it stopped: deadlocked, hanging, crashed or interrupted.
package struct EndingDetector: Detector {
    private var graph = WaitForGraph()
    private var lastEvents = PerThread<Event?>(nil)
    private var unheard = UnheardSignals()

    package init() {}

    package mutating func consume(_ event: Event) {
        unheard.consume(event, graph)
        graph.consume(event)
        if graph.ending == nil { lastEvents[event.thread] = event }
    }

    package func findings(in words: Words) -> [Outcome] {
        [violentEnd(words), deadlock(words) ?? hang(words)].compactMap(\.self)
    }

    private func activity(_ words: Words) -> ActivityStory {
        ActivityStory(words: words, graph: graph, lastEvents: lastEvents)
    }

    // MARK: - From outside, or by a crash

    private func violentEnd(_ words: Words) -> Outcome? {
        guard let ending = graph.ending else { return nil }
        switch ending.kind {
        case .runInterrupted:
            return Outcome(.interrupted, summary: "The run was interrupted.", details: activity(words).lines)
        case .runKilled:
            return Outcome(
                .crash, summary: "The program was killed from outside\(signal(ending)).", details: activity(words).lines
            )
        case .runCrash: return crash(ending, words)
        default: return nil
        }
    }

    private func crash(_ ending: Event, _ words: Words) -> Outcome {
        var details: [String] = []
        if let explanation = SignalName.explanation(ending.value) {
            details.append("\(SignalName.name(ending.value)): \(explanation).")
        }
        return Outcome(
            .crash, summary: "\(words.name(ending.thread)) crashed the program\(signal(ending)).",
            details: details + activity(words).lines)
    }

    private func signal(_ ending: Event) -> String {
        ending.value == 0 ? "" : " (\(SignalName.name(ending.value)))"
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
        case .runExit, .runComplete, .runCrash: false
        default: graph.allBlocked
        }
    }

    private func hang(_ words: Words) -> Outcome? {
        guard let ending = graph.ending else { return nil }
        switch ending.kind {
        case .runTimeout:
            let limit = ending.value > 0 ? " after \(Words.duration(ending.value))" : ""
            return Outcome(
                .timeout, summary: "The run was still going\(limit), and was stopped: no deadlock, but no end either.",
                details: activity(words).lines)
        case .runStepLimit:
            let steps = Words.count(Int(ending.value), "step")
            return Outcome(
                .timeout, summary: "No end is in sight after \(steps): the threads go on, perhaps in circles.",
                details: activity(words).lines)
        default: return nil
        }
    }
}
