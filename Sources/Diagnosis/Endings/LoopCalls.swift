import Trace

/// Calls that threads have queued for a run loop, and the loops that run.
struct LoopCalls {
    private var latest = PerThread<Event?>(nil)
    /// By loop: the number of its nested runs in progress.
    private var runs = PerObject(0)

    mutating func consume(_ event: Event) {
        if event.kind == .performQueue { latest[event.thread] = event }
        if event.kind == .loopEntry { runs[event.object] += 1 }
        if event.kind == .loopExit { runs[event.object] -= 1 }
    }

    /// The loop that has to make the call for which the thread waits. Nil: the thread waits for something else.
    func loop(awaitedBy wait: Wait, _ names: Names) -> ObjectID? {
        guard let call = latest[wait.thread], let condition = wait.condition, names.isPart(condition),
            call.site == wait.site, call.time <= wait.time
        else { return nil }
        return call.object
    }

    func isRunning(_ loop: ObjectID) -> Bool { runs[loop] > 0 }
}
