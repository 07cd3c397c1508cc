import Machine

/// Revisits: a new message is also read by reads that were added before it (see `GraphSearch`).
extension GraphSearch {
    /// Searches the executions in which a read that was added earlier reads this message.
    func revisitReads(with message: Message) {
        let object = message.operation.object
        let prefix = graph.prefix(of: message.thread)
        for thread in 0..<threadCount where thread != message.thread {
            var index = graph.lastIndex(of: thread, on: object)
            while index > graph.entry(prefix, thread) && !work.pointee.isStopped {
                let event = graph.event(thread, index)
                let (previous, kind, stamp) = (Int(event.pointee.previous), event.pointee.kind, event.pointee.stamp)
                if kind.reads || kind == .lock {
                    let read = EventName(thread, index)
                    if canRevisit(read, stamp, with: prefix) { revisit(read, with: message, prefix) }
                }
                index = previous
            }
        }
    }

    /// Whether the read, and all events that would be removed with it, are maximal (`isMaximal`). Those are the events
    /// that were added after the read and on which the message does not depend.
    ///
    /// - Parameters:
    ///   - stamp: the read's stamp.
    ///   - prefix: what the new message depends on.
    private func canRevisit(_ read: EventName, _ stamp: Int32, with prefix: GraphClock) -> Bool {
        if !isMaximal(read, with: prefix) { return false }
        for thread in 0..<threadCount {
            let known = graph.entry(prefix, thread)
            var index = graph.counts[thread]
            while index > known, graph.event(thread, index).pointee.stamp > stamp {
                if !isMaximal(EventName(thread, index), with: prefix) { return false }
                index -= 1
            }
        }
        return true
    }

    /// Whether the event was added in the one way, of all those that were possible, in which a revisit may remove it: a
    /// read has read the newest message of those that were added before it or that stay, and has not failed spuriously;
    /// a step that may have to wait has waited; `choose` has returned 0; a store is the newest message in this sense;
    /// and no write is read by a read that it has revisited.
    ///
    /// - Parameter prefix: what the new message depends on.
    private func isMaximal(_ name: EventName, with prefix: GraphClock) -> Bool {
        let event = graph.event(name)
        switch event.pointee.kind {
        case .start, .fence, .read, .write, .sync, .spawn, .join, .other: return true
        case .choose: return event.pointee.value == 0
        case .lock: return event.pointee.source == .none
        case .load:
            if isAwaiting(event) { return event.pointee.source == .none }
            return graph.isNewest(
                event.pointee.source, event.pointee.object, at: event.pointee.stamp, or: prefix)
        case .loadToUpdate:
            if Self.isSpurious(event) { return false }
            if graph.isOrdered(event.pointee.object) && isWaiting(event) { return event.pointee.source == .none }
            return graph.isNewest(
                event.pointee.source, event.pointee.object, at: event.pointee.stamp, or: prefix)
        case .storeOfUpdate: return !graph.isReadBackwards(name)
        case .store:
            return !graph.isReadBackwards(name)
                && graph.isNewest(name, event.pointee.object, at: event.pointee.stamp, or: prefix)
        case .unlock: return !graph.isReadBackwards(name)
        }
    }

    private func isAwaiting(_ event: UnsafeMutablePointer<GraphEvent>) -> Bool { operation(of: event).awaited != nil }

    /// Whether the step on a lock or semaphore is one that may have to wait.
    func isWaiting(_ event: UnsafeMutablePointer<GraphEvent>) -> Bool {
        operation(of: event).waits(on: kinds[Int(event.pointee.object)])
    }

    /// The operation whose first event this is. It was saved with the thread's state before the event.
    private func operation(of event: UnsafeMutablePointer<GraphEvent>) -> Operation {
        let place = work.pointee.words.base + Int(event.pointee.note) + 1
        return UnsafeMutableRawPointer(place).assumingMemoryBound(to: Operation.self).pointee
    }

    /// Removes the read and what was added after it, except what the message depends on; searches the executions in
    /// which the read reads the message; and puts everything back.
    private func revisit(_ read: EventName, with message: Message, _ prefix: GraphClock) {
        let (wordsEnd, removedEnd) = (work.pointee.wordsEnd, work.pointee.removedEnd)
        let old = graph.event(read).pointee
        // Events that are added now get newer stamps than the removed ones.
        let nextStamp = graph.nextStamp
        // The saved states of the threads that this changes.
        var kept: [(thread: Int, words: Int32)] = []
        for thread in 0..<threadCount {
            let known = graph.entry(prefix, thread)
            // Of the read's thread, the read itself is removed too: it is added again.
            let rest = thread == read.thread ? read.index - 1 : lastKept(of: thread, known, old.stamp)
            guard graph.counts[thread] > rest else { continue }
            kept.append((thread, keepWords(of: thread)))
            while graph.counts[thread] > rest { remove(thread) }
            restoreWords(of: thread, from: Int(work.pointee.removed[work.pointee.removedEnd - 1].note))
        }
        graph.nextStamp = nextStamp
        let words = keepWords(of: message.thread)
        kept.append((message.thread, words))
        readAgain(read.thread, old, message)
        putBack(to: removedEnd)
        graph.nextStamp = nextStamp
        for (thread, words) in kept { restoreWords(of: thread, from: Int(words)) }
        work.pointee.wordsEnd = wordsEnd
    }

    /// The number of the thread's events that stay: those on which the message depends, or that were added before the
    /// read.
    private func lastKept(of thread: Int, _ known: Int, _ stamp: Int32) -> Int {
        var index = graph.counts[thread]
        while index > known, graph.event(thread, index).pointee.stamp > stamp { index -= 1 }
        return index
    }

    /// Adds the message at each possible place, and after it the removed read again, which now reads the message.
    private func readAgain(_ reader: Int, _ old: GraphEvent, _ message: Message) {
        let operation = subject.place(ofOperationOf: reader).pointee
        if old.kind == .load, let comparison = operation.awaited, !comparison.holds(message.word, operation.a) {
            return
        }
        if graph.isOrdered(operation.object), isBlocked(operation, reader, finding: message.word) { return }
        let lowest = graph.lowestPlace(operation.object, for: reader)
        forEachPlace(of: message) { place, isLast in
            // At the lowest place, the message would come before the first message that the read may read.
            guard place > lowest else { return }
            let words = keepWords(of: message.thread)
            write(message, at: place, words)
            let name = EventName(message.thread, graph.counts[message.thread])
            graph.event(name).pointee.revisited = EventName(reader, graph.counts[reader] + 1)
            if isLast || graph.isConsistent(after: name) {
                let readerWords = keepWords(of: reader)
                self.read(name, old.kind, reader, operation, readerWords, stamp: old.stamp)
                if isLast || graph.isConsistent(after: EventName(reader, graph.counts[reader])) { visit() }
                takeBack(reader)
                if operation.kind == .weakCompareExchange {
                    failSpuriously(name, isNewest: isLast, reader, operation, stamp: old.stamp)
                }
            }
            takeBack(message.thread)
        }
    }

    /// Moves the thread's last event to the stack of removed events.
    private func remove(_ thread: Int) {
        let end = work.pointee.removedEnd
        work.pointee.removed.reserve(end + 1, keeping: end)
        work.pointee.removed[end] = graph.lastEvent(of: thread).pointee
        work.pointee.removedEnd = end + 1
        graph.removeLast(of: thread)
    }

    /// Puts removed events back into the graph, until the stack has this length.
    private func putBack(to end: Int) {
        while work.pointee.removedEnd > end {
            work.pointee.removedEnd -= 1
            graph.putBack(work.pointee.removed[work.pointee.removedEnd])
        }
    }
}
