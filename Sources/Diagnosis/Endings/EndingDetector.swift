import Text
import Trace

/// How the run stood when it stopped: deadlocked, hanging, crashed or interrupted.
package struct EndingDetector: Detector {
    private(set) var graph = WaitForGraph()
    private var lastEvents = PerThread<Event?>(nil)
    private var unheard = UnheardSignals()
    private var untaken = UntakenSignals()
    /// The event by which the run was stopped, if it did not come to its own end; or the process, even after that.
    private var stop: Event?

    /// The run came to its own end.
    private(set) var hasReachedEnd = false

    package init() {}

    package mutating func consume(_ event: Event) {
        unheard.consume(event, graph)
        untaken.consume(event, graph)
        graph.consume(event)
        if graph.ending == nil {
            lastEvents[event.thread] = event
            return
        }
        let effect = event.kind.effect
        if effect.isOwnEnd { hasReachedEnd = true }
        switch effect {
        case .endRun(.givenUp), .endRun(.death), .endRun(.stop): if stop == nil { stop = event }
        default: break
        }
    }

    package func findings(in names: Names) -> [Finding] {
        [violentEnd(names), deadlock(names) ?? hang(names)].compactMap(\.self)
    }

    /// How the run ended if that says nothing about the program: somebody or something stopped it. Nil: nobody did.
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
        ActivityStory(names: names, graph: graph, lastEvents: lastEvents)
    }

    /// The trace ends here, and the run did not: whoever wrote it is gone.
    func cutOff(_ names: Names) -> Outcome {
        Outcome(
            .interrupted, summary: "The trace ends before the run does: threadlab was killed, or the machine stopped.",
            details: activity(names).lines)
    }

    // MARK: - By violence

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
        let story = DeadlockStory(names: names, graph: graph, unheard: unheard)
        let cycles = graph.cycles()
        if !cycles.isEmpty { return story.finding(cycles) }
        return isStandstill ? story.findingWithoutCycle : nil
    }

    /// Whether the run stopped with every thread blocked. Once the main thread has left, those that wait on are cut off;
    /// whether that is a fault is the leak detector's question.
    private var isStandstill: Bool {
        switch graph.ending?.kind {
        case .runExit, .runComplete, .runCrash, .runQuit, .runDiverged: false
        // The run was given up, and not because it stood still: the events alone must show that no thread was about to go on.
        case .runTimeout, .runStepLimit, .runCycle: graph.allBlocked && !graph.blocked.contains(where: isPerhapsOver)
        default: graph.allBlocked
        }
    }

    /// Whether the thread may have what it waits for, and only has not been seen to go on yet.
    private func isPerhapsOver(_ wait: Wait) -> Bool {
        switch wait.target {
        case .condition(let object, _), .semaphore(let object): untaken.count(of: object) > 0
        case .memory: true
        case .mutex, .reading, .writing, .thread: false
        }
    }

    private func hang(_ names: Names) -> Finding? {
        guard let stop else { return nil }
        switch stop.kind {
        case .runTimeout:
            let limit = stop.value > 0 ? " after \(ReadableDuration.text(nanoseconds: stop.value))" : ""
            return timeout(
                "The run was still going\(limit), and was stopped. It is not deadlocked, but did not end either.", names)
        case .runStepLimit:
            let steps = Names.count(Int(stop.value), "step")
            return timeout(
                "The run did not end within \(steps): the threads keep running, perhaps without progress.", names)
        case .runCycle: return livelock(Int(stop.value), names)
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

    private func timeout(_ summary: String, _ names: Names) -> Finding {
        let activity = activity(names)
        return Finding(.timeout, summary: summary, story: activity.lines, threads: activity.threads)
    }
}
