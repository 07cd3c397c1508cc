import Trace

/// Calls that threads have queued for run loops, and which loops are running. A thread that waits for its call waits
/// for the loop.
struct LoopCalls {
    /// By thread: the event with which it last queued a call.
    private var latest = PerThread<Event?>(nil)
    /// By loop: the number of its nested runs in progress.
    private var runs = PerObject(0)

    mutating func consume(_ event: Event) {
        if event.kind == .performQueue { latest[event.thread] = event }
        if event.kind == .loopEntry { runs[event.object] += 1 }
        if event.kind == .loopExit { runs[event.object] -= 1 }
    }

    /// The run loop that has to make the call for which the thread waits. Nil if the thread waits for something else. A
    /// wait is taken to be for a call if the thread queued one before it on the same line, and waits on a condition
    /// inside a built object, as the run loop is.
    func loop(awaitedBy wait: Wait, _ names: Names) -> ObjectID? {
        guard let call = latest[wait.thread], let condition = wait.condition, names.isPart(condition),
            call.site == wait.site, call.time <= wait.time
        else { return nil }
        return call.object
    }

    func isRunning(_ loop: ObjectID) -> Bool { runs[loop] > 0 }
}
