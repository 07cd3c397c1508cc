import Machine

/// A new message is read by reads that were there before it.
extension GraphSearch {
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

    /// Whether the read, and all that was added after it and that the message does not depend on, was added in the one way
    /// in which it would be added without the message.
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

    /// The operation of which it is the first event.
    private func operation(of event: UnsafeMutablePointer<GraphEvent>) -> Operation {
        let place = work.pointee.words.base + Int(event.pointee.note) + 1
        return UnsafeMutableRawPointer(place).assumingMemoryBound(to: Operation.self).pointee
    }

    private func revisit(_ read: EventName, with message: Message, _ prefix: GraphClock) {
        let (wordsEnd, removedEnd) = (work.pointee.wordsEnd, work.pointee.removedEnd)
        let old = graph.event(read).pointee
        // What is added now is newer than what goes, and than the read.
        let nextStamp = graph.nextStamp
        // Where the threads are now, to be put back.
        var kept: [(thread: Int, words: Int32)] = []
        for thread in 0..<threadCount {
            let known = graph.entry(prefix, thread)
            // The read is the last event of its thread that goes: it is added again.
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

    /// How many of the thread's events stay: those that the message depends on, or that were there before the read.
    private func lastKept(of thread: Int, _ known: Int, _ stamp: Int32) -> Int {
        var index = graph.counts[thread]
        while index > known, graph.event(thread, index).pointee.stamp > stamp { index -= 1 }
        return index
    }

    /// The read is removed from the end of its thread: it reads the message, wherever that is put.
    private func readAgain(_ reader: Int, _ old: GraphEvent, _ message: Message) {
        let operation = subject.place(ofOperationOf: reader).pointee
        if old.kind == .load, let comparison = operation.awaited, !comparison.holds(message.word, operation.a) {
            return
        }
        if graph.isOrdered(operation.object), isBlocked(operation, reader, finding: message.word) { return }
        let lowest = graph.lowestPlace(operation.object, for: reader)
        forEachPlace(of: message) { place, isLast in
            // What is at the lowest place now is after the message if that is put there.
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

    /// Removes the thread's last event, to be put back.
    private func remove(_ thread: Int) {
        let end = work.pointee.removedEnd
        work.pointee.removed.reserve(end + 1, keeping: end)
        work.pointee.removed[end] = graph.lastEvent(of: thread).pointee
        work.pointee.removedEnd = end + 1
        graph.removeLast(of: thread)
    }

    private func putBack(to end: Int) {
        while work.pointee.removedEnd > end {
            work.pointee.removedEnd -= 1
            graph.putBack(work.pointee.removed[work.pointee.removedEnd])
        }
    }
}
