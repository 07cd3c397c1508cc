/// The order of sequentially consistent events under rc11: the relation psc of the paper has no cycle
/// (Lahav, Vafeiadis, Kang, Hur, Dreyer: "Repairing sequential consistency in C/C++11", PLDI 2017).
extension ExecutionGraph {
    /// Whether the events can be sorted: each time, one that no other must precede is taken away.
    ///
    /// Program order is part of psc, so only the first event of each thread that is left can be such a one; and if the first one of
    /// another thread is a fence that need not precede it, neither must what follows the fence.
    func hasOrderOfSeqCst() -> Bool {
        var left = body.pointee.seqCstCount
        var next = GraphClock.zero
        for thread in 0..<threadCount { step(&next, thread) }
        while left > 1 {
            guard let first = (0..<threadCount).first(where: { isFirst($0, next) }) else { return false }
            step(&next, first)
            left -= 1
        }
        return true
    }

    /// Makes the thread's next sequentially consistent event the one after the present one.
    @inline(always) private func step(_ next: inout GraphClock, _ thread: Int) {
        var index = Int(next[thread]) + 1
        while index <= counts[thread] && event(thread, index).pointee.order != .seqcst { index += 1 }
        next[thread] = UInt16(truncatingIfNeeded: index)
    }

    /// Whether the thread has a next event, and none that is left in another thread must precede it.
    private func isFirst(_ thread: Int, _ next: GraphClock) -> Bool {
        let index = Int(next[thread])
        if index > counts[thread] { return false }
        let name = EventName(thread, index)
        for other in 0..<threadCount where other != thread {
            var index = Int(next[other])
            while index <= counts[other] {
                let event = self.event(other, index)
                if event.pointee.order == .seqcst {
                    if isOrdered(EventName(other, index), name) { return false }
                    if event.pointee.kind == .fence { break }
                }
                index += 1
            }
        }
        return true
    }

    /// Whether psc orders two sequentially consistent events of different threads.
    private func isOrdered(_ a: EventName, _ b: EventName) -> Bool {
        let aIsFence = event(a).pointee.kind == .fence
        let bIsFence = event(b).pointee.kind == .fence
        switch (aIsFence, bIsFence) {
        case (false, false): return precedes(a, b)
        case (true, true): return happensBefore(a, b) || isBeforeByValues(fence: a, fence: b)
        case (true, false): return precedes(a, b) || anyEvent(after: a) { precedes($0, b) }
        case (false, true): return precedes(a, b) || anyEvent(before: b) { precedes(a, $0) }
        }
    }

    /// Whether an access after one fence is before an access before the other one by a chain of reads-from, modification order and
    /// reads-before. What psc demands besides that of two fences, of which none happens before the other, is part of it.
    private func isBeforeByValues(fence a: EventName, fence b: EventName) -> Bool {
        // By object: the lowest place of a write after the first fence, and of an access.
        if orderSearch.pointee.lowest.capacity < 2 * objectCount {
            orderSearch.pointee.lowest = OwnedBuffer(repeating: .max, count: 2 * objectCount)
        }
        let lowest = orderSearch.pointee.lowest.base
        var isAny = false
        _ = anyEvent(after: a) { name in
            let access = event(name)
            guard isAccess(access) else { return false }
            let (object, place) = (Int(access.pointee.object), Int32(truncatingIfNeeded: place(touchedBy: access)))
            if access.pointee.kind.writes { lowest[2 * object] = min(lowest[2 * object], place) }
            lowest[2 * object + 1] = min(lowest[2 * object + 1], place)
            isAny = true
            return false
        }
        guard isAny else { return false }
        let isBefore = anyEvent(before: b) { name in
            let access = event(name)
            guard isAccess(access) else { return false }
            let (object, place) = (Int(access.pointee.object), Int32(truncatingIfNeeded: place(touchedBy: access)))
            return lowest[2 * object + 1] < place || access.pointee.kind.reads && lowest[2 * object] <= place
        }
        lowest.update(repeating: .max, count: 2 * objectCount)
        return isBefore
    }

    /// Tests the events that the given one happens before, until one passes.
    @inline(__always) private func anyEvent(after name: EventName, _ test: (EventName) -> Bool) -> Bool {
        for thread in 0..<threadCount {
            var index = counts[thread]
            let first = thread == name.thread ? name.index : 0
            // What an event has seen, all that follow it in its thread have.
            while index > first, contains(seenBy(event(thread, index)), name) {
                if test(EventName(thread, index)) { return true }
                index -= 1
            }
        }
        return false
    }

    /// Tests the events that happen before the given one, until one passes.
    @inline(__always) private func anyEvent(before name: EventName, _ test: (EventName) -> Bool) -> Bool {
        let seen = seenBy(event(name))
        for thread in 0..<threadCount {
            let last = thread == name.thread ? name.index - 1 : seen.entry(thread)
            for index in 0..<last where test(EventName(thread, index + 1)) { return true }
        }
        return false
    }

    private func happensBefore(_ a: EventName, _ b: EventName) -> Bool { a != b && contains(seenBy(event(b)), a) }

    /// The relation scb: sequenced before; happens before by way of other objects, or on the same one; modification
    /// order; reads before.
    private func precedes(_ a: EventName, _ b: EventName) -> Bool {
        if a.thread == b.thread && a.index < b.index { return true }
        let (first, second) = (event(a), event(b))
        let object = first.pointee.object
        if object != 0 && object == second.pointee.object {
            if happensBefore(a, b) { return true }
            if !isOrdered(object), second.pointee.kind.writes, first.pointee.kind.writes || first.pointee.kind.reads {
                return first.pointee.source == .none && first.pointee.kind.reads
                    ? false : place(touchedBy: first) < Int(second.pointee.place)
            }
            // By way of others it would happen before, too.
            return false
        }
        return happensBeforeByOthers(a, b)
    }

    private func happensBeforeByOthers(_ a: EventName, _ b: EventName) -> Bool {
        var next = a.index + 1
        while next <= counts[a.thread] && isSameObject(a, EventName(a.thread, next)) { next += 1 }
        var before = b.index - 1
        while before > 0 && isSameObject(b, EventName(b.thread, before)) { before -= 1 }
        if before == 0 { return false }
        if next > counts[a.thread] { return isJoined(a.thread, before: EventName(b.thread, before)) }
        return happensBefore(EventName(a.thread, next), EventName(b.thread, before))
    }

    /// Whether the event comes after the end of the thread, at which nothing is recorded: it is a join of the thread, or behind one.
    private func isJoined(_ target: Int, before name: EventName) -> Bool {
        let seen = seenBy(event(name))
        guard contains(seen, EventName(target, counts[target])) else { return false }
        return (0..<threadCount).contains { thread in
            let last = thread == name.thread ? name.index : seen.entry(thread)
            return (0..<last).contains { index in
                let event = self.event(thread, index + 1)
                return event.pointee.kind == .join && event.pointee.value == target
            }
        }
    }

    private func isSameObject(_ a: EventName, _ b: EventName) -> Bool {
        let object = event(a).pointee.object
        return object != 0 && object == event(b).pointee.object
    }

    /// Of an atomic: what is found in a lock, by a failed attempt too, is in no order with fences.
    private func isAccess(_ event: UnsafeMutablePointer<GraphEvent>) -> Bool {
        !isOrdered(event.pointee.object)
            && (event.pointee.kind.writes || event.pointee.kind.reads && event.pointee.source != .none)
    }
}
