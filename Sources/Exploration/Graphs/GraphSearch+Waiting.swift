import Machine

/// Whether a thread that waits in a finished graph waits forever.
extension GraphSearch {
    /// Whether the thread would continue with what memory holds at the end: then another graph has that, and in this one
    /// nothing waits forever. Each write becomes visible at some time, so a thread that waits for a value that has come and
    /// gone may wait forever under every model.
    func canContinue(_ thread: Int) -> Bool {
        let last = graph.lastEvent(of: thread)
        let object = last.pointee.object
        if last.pointee.source == .none && last.pointee.kind == .lock {
            let end = graph.message(object, at: graph.messageCount(of: object) - 1)
            return !graph.isTaken(end, object)
        }
        if last.pointee.source == .none && last.pointee.kind == .load { return canReadOtherwise(thread) }
        if last.pointee.source == .none && last.pointee.kind == .loadToUpdate {
            let operation = subject.place(ofOperationOf: thread).pointee
            return step(operation, thread, finding: graph.newestWord(of: object)) != .blocked
        }
        return canLeaveLoop(thread)
    }

    /// The thread waits for a value: removes the event that says so, and tries.
    private func canReadOtherwise(_ thread: Int) -> Bool {
        let words = Int(keepWords(of: thread))
        let nextStamp = graph.nextStamp
        let old = graph.lastEvent(of: thread).pointee
        graph.removeLast(of: thread)
        restoreWords(of: thread, from: Int(old.note))
        defer {
            graph.putBack(old)
            graph.nextStamp = nextStamp
            restoreWords(of: thread, from: words)
            work.pointee.wordsEnd = words
        }
        let operation = subject.place(ofOperationOf: thread).pointee
        // The graph in which it has read that tells whether it then comes to something else.
        if let comparison = operation.awaited {
            return comparison.holds(graph.newestWord(of: operation.object), operation.a)
        }
        return canLeaveLoop(thread)
    }

    /// A round of more steps is not followed to its end.
    private static var mostInRound: Int { 1000 }

    /// Whether the thread comes to something other than another round.
    ///
    /// - Parameter depth: the number of steps that it has taken on the way.
    private func canLeaveLoop(_ thread: Int, _ depth: Int = 0) -> Bool {
        if depth == Self.mostInRound {
            stop(.tooLong)
            return true
        }
        let operation = subject.place(ofOperationOf: thread).pointee
        let kind: GraphEvent.Kind
        switch operation.kind {
        case .load: kind = .load
        case .compareExchange, .weakCompareExchange: kind = .loadToUpdate
        case .tryLock, .semaphoreTryWait, .tryReadLock, .tryWriteLock, .semaphoreValue: kind = .loadToUpdate
        case .fence, .yield, .read:
            takeOrdered(thread, operation)
            defer { takeBack(thread) }
            return leavesLoop(thread, depth)
        case .start, .exit, .inspect, .readClock, .spawn, .join, .tryJoin, .joinUntil, .detach, .sleepUntil, .lock,
            .lockUntil, .unlock, .wait, .signal, .broadcast, .semaphoreWait, .semaphoreWaitUntil,
            .semaphoreSignal,
            .readLock, .readLockUntil, .writeLock, .writeLockUntil, .unlockShared, .store, .exchange, .add, .bitAnd,
            .bitOr,
            .bitXor, .write, .append, .destroy, .choose, .downgrade:
            return true
        }
        let newest = graph.message(operation.object, at: graph.messageCount(of: operation.object) - 1)
        // One that can be passed may still be part of a round that leads nowhere.
        if let comparison = operation.awaited, !comparison.holds(graph.word(of: newest, operation.object), operation.a)
        {
            return false
        }
        let words = keepWords(of: thread)
        statuses[thread] = .ready
        read(newest, kind, thread, operation, words)
        defer { takeBack(thread) }
        return leavesLoop(thread, depth)
    }

    private func leavesLoop(_ thread: Int, _ depth: Int) -> Bool {
        switch statuses[thread] {
        case .waiting: false
        case .updating, .ended, .failed: true
        case .ready: canLeaveLoop(thread, depth + 1)
        }
    }
}
