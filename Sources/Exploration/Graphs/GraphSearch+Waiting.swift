import Machine

/// Decides whether a thread that waits at the end of a graph waits forever.
extension GraphSearch {
    /// Whether the waiting thread would continue with what memory holds at the end of the graph. Each write becomes
    /// visible at some time, so such a thread does not wait forever, and another graph shows how it continues. A thread
    /// that waits for a value that has come and gone may wait forever under every model.
    func canContinue(_ thread: Int) -> Bool {
        let last = graph.lastEvent(of: thread)
        let object = last.pointee.object
        if last.pointee.source == .none && last.pointee.kind == .lock {
            let operation = subject.place(ofOperationOf: thread).pointee
            return !isBlocked(operation, thread, finding: word(ofPlainMutex: object))
        }
        if last.pointee.source == .none && last.pointee.kind == .load { return canReadOtherwise(thread) }
        if last.pointee.source == .none && last.pointee.kind == .loadToUpdate {
            let operation = subject.place(ofOperationOf: thread).pointee
            return !isBlocked(operation, thread, finding: graph.newestWord(of: object))
        }
        return canLeaveLoop(thread)
    }

    /// Whether a thread that waits in a load would continue with the newest value. For a moment, removes the event that
    /// represents the waiting.
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
        // If the `await` ends with this value, another graph shows what follows.
        if let comparison = operation.awaited {
            return comparison.holds(graph.newestWord(of: operation.object), operation.a)
        }
        return canLeaveLoop(thread)
    }

    /// The maximum number of steps for which a round of a loop is followed.
    private static var mostInRound: Int { 1000 }

    /// Whether the thread, reading the newest values, comes to something other than another round of the loop in which
    /// it waits.
    ///
    /// - Parameter depth: the number of steps that it has taken on the way.
    private func canLeaveLoop(_ thread: Int, _ depth: Int = 0) -> Bool {
        if depth == Self.mostInRound {
            stop(.tooLong)
            return true
        }
        let operation = subject.place(ofOperationOf: thread).pointee
        let kind: GraphEvent.Kind
        switch operation.kind.row.graph {
        case .load: kind = .load
        case .loadToUpdate where operation.kind.mayChangeNothing: kind = .loadToUpdate
        case .write where graph.model == .sc: return true
        case .other where operation.kind.range == .nothing, .fence, .read, .write:
            takeOrdered(thread, operation)
            defer { takeBack(thread) }
            return leavesLoop(thread, depth)
        case .start, .spawn, .join, .choose, .loadToUpdate, .store, .other, .lock, .unlock, .sync, .storeOfUpdate, nil:
            return true
        }
        let newest = graph.message(operation.object, at: graph.messageCount(of: operation.object) - 1)
        // An `await` that ends with the newest value may still be part of a round that leads nowhere, so it is
        // followed.
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

    /// The answer of `canLeaveLoop` after a step.
    private func leavesLoop(_ thread: Int, _ depth: Int) -> Bool {
        switch statuses[thread] {
        case .waiting: false
        case .updating, .ended, .failed: true
        case .ready: canLeaveLoop(thread, depth + 1)
        }
    }
}

/// Rounds of loops that lead nowhere, and are left out of graphs.
extension GraphSearch {
    /// Whether the thread has come back to where it was before, and no other thread can tell what it has done in
    /// between. Such a thread waits until it can read something else. A fence in the round makes no difference: without
    /// it, only fewer events are ordered.
    func isInUselessRound(_ thread: Int) -> Bool {
        guard subject.hasLooped(thread) else { return false }
        let count = subject.wordCount(of: thread)
        let words = subject.words(of: thread)
        let operation = subject.place(ofOperationOf: thread).pointee
        var index = graph.counts[thread]
        var (hasAccess, hasEarlierRound) = (false, false)
        while index > 0 {
            let event = graph.event(thread, index)
            guard event.pointee.isOfUselessRound else { return false }
            if event.pointee.kind == .read || event.pointee.kind == .write { hasAccess = true }
            let kept = work.pointee.words.base + Int(event.pointee.note)
            let before = UnsafeMutableRawPointer(kept + 1).assumingMemoryBound(to: Operation.self).pointee
            if kept[0] >> Self.statusBits == count, before == operation,
                subject.isSame(kept + Self.headWords, words, count), !hasAccess || restoresCells(thread, since: index)
            {
                // A plain access can race with what comes after the loop, so one round with such an access is kept.
                if hasEarlierRound || !hasAccess { return true }
                hasEarlierRound = true
            }
            index -= 1
        }
        return false
    }

    /// Whether each cell that the thread has written since this event holds what it held before.
    private func restoresCells(_ thread: Int, since first: Int) -> Bool {
        let events = first..<graph.counts[thread] + 1
        return events.allSatisfy { index in
            let write = graph.event(thread, index).pointee
            guard write.kind == .write else { return true }
            let isFirst = write.source.thread != thread || write.source.index < first || write.source == .initial
            if !isFirst { return true }
            let last = events.last {
                let event = graph.event(thread, $0).pointee
                return event.kind == .write && event.object == write.object
            }!
            // `value` of a plain write is the word that it has replaced.
            return graph.event(thread, last).pointee.word == write.value
        }
    }
}

extension GraphEvent {
    /// Whether a round of a loop may be left out although it contains this event, because no other thread can tell.
    fileprivate var isOfUselessRound: Bool {
        switch kind {
        // What a plain write changes is compared (`restoresCells`).
        case .load, .loadToUpdate, .read, .write, .fence: true
        // Without an object: a yield, for example. With one, it may be a misuse.
        case .other: object == 0
        case .lock, .unlock, .store, .storeOfUpdate, .start, .sync, .spawn, .join, .choose: false
        }
    }
}
