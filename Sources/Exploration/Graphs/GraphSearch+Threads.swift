import Machine

/// Threads that are started and joined through a *seat*, the object that represents such a thread to others.
///
/// A seat is supported only if a single thread uses it: no other thread can then tell when the thread was started or
/// joined. A search stops when another thread uses the seat.
extension GraphSearch {
    /// The number of threads that exist from the beginning.
    var existingThreads: Int { (0..<threadCount).count { seats[$0] == 0 } }

    /// Whether the thread exists from the beginning, or has been started.
    @inline(always) func isStarted(_ thread: Int) -> Bool { seats[thread] == 0 || start(of: thread) != nil }

    /// The event that has started the thread. Nil: it has not been started, or exists from the beginning.
    func start(of thread: Int) -> EventName? {
        let seat = seats[thread]
        if seat == 0 { return nil }
        for other in 0..<threadCount {
            var index = graph.lastIndex(of: other, on: seat)
            while index > 0 {
                let event = graph.event(other, index)
                if event.pointee.kind == .spawn { return EventName(other, index) }
                index = Int(event.pointee.previous)
            }
        }
        return nil
    }

    /// The thread that is started and joined through the seat.
    private func thread(at seat: UInt32) -> Int { (0..<threadCount).first { seats[$0] == seat }! }

    /// Whether a join can be taken: the thread of its seat has ended, or was not started.
    func isSettled(_ join: Operation) -> Bool {
        let target = self.thread(at: join.object)
        return statuses[target] == .ended || start(of: target) == nil
    }

    /// Adds the start of the seat's thread. If it was started before, the event has no effect and the result is 0.
    func spawn(_ thread: Int, _ operation: Operation) -> (UnsafeMutablePointer<GraphEvent>, result: Int) {
        let target = self.thread(at: operation.object)
        requireSoleUser(of: operation.object, thread)
        let isSecond = start(of: target) != nil
        let event = graph.append(isSecond ? .other : .spawn, thread, operation.object, .relaxed)
        event.pointee.value = target
        return (event, isSecond ? 0 : 1)
    }

    /// Adds a join of the seat's thread. If it was not started, the event has no effect and the result is 0. A second
    /// join is a misuse.
    func joinStarted(
        _ thread: Int, _ operation: Operation
    ) -> (UnsafeMutablePointer<GraphEvent>, result: Int, isMisuse: Bool) {
        let target = self.thread(at: operation.object)
        requireSoleUser(of: operation.object, thread)
        guard start(of: target) != nil else {
            return (graph.append(.other, thread, operation.object, .relaxed), 0, false)
        }
        let isSecond = isJoined(target)
        let event = graph.append(.join, thread, 0, .relaxed)
        event.pointee.value = target
        graph.follow(event, graph.lastEvent(of: target))
        return (event, 1, isSecond)
    }

    /// Stops the search if a thread other than this one has used the seat.
    private func requireSoleUser(of seat: UInt32, _ thread: Int) {
        if (0..<threadCount).contains(where: { $0 != thread && graph.lastIndex(of: $0, on: seat) > 0 }) {
            stop(.sharedThread)
        }
    }

    private func isJoined(_ target: Int) -> Bool {
        (0..<threadCount).contains { thread in
            (1..<graph.counts[thread] + 1).contains { index in
                let event = graph.event(thread, index).pointee
                return event.kind == .join && event.value == target
            }
        }
    }

    /// Whether each thread that was started has been joined. Otherwise the main thread may exit before such a thread
    /// ends, which no graph shows.
    var hasJoinedAll: Bool {
        (0..<threadCount).allSatisfy { seats[$0] == 0 || start(of: $0) == nil || isJoined($0) }
    }
}
