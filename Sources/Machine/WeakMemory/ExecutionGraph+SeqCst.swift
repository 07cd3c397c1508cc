/// The order of sequentially consistent events under rc11: the relation psc between them must have no cycle (Lahav,
/// Vafeiadis, Kang, Hur, Dreyer: "Repairing sequential consistency in C/C++11", PLDI 2017). Names of relations (psc,
/// scb) are those of the paper.
extension ExecutionGraph {
    /// Whether psc has no cycle: the sequentially consistent events can be sorted, by removing again and again one that
    /// no remaining event must precede.
    ///
    /// Program order is part of psc, so only the first remaining event of a thread can be removed. If a fence of
    /// another thread need not precede that event, the events after the fence need not either.
    func hasOrderOfSeqCst() -> Bool {
        var left = body.pointee.seqCstCount
        // By thread: the position of its first remaining event.
        var next = GraphClock.zero
        for thread in 0..<threadCount { step(&next, thread) }
        while left > 1 {
            guard let first = (0..<threadCount).first(where: { isFirst($0, next) }) else { return false }
            step(&next, first)
            left -= 1
        }
        return true
    }

    /// Moves the thread's entry of `next` to its next sequentially consistent event.
    @inline(always) private func step(_ next: inout GraphClock, _ thread: Int) {
        var index = Int(next[thread]) + 1
        while index <= counts[thread] && event(thread, index).pointee.order != .seqcst { index += 1 }
        next[thread] = UInt16(truncatingIfNeeded: index)
    }

    /// Whether the thread has a remaining event, and no remaining event of another thread must precede the first of
    /// them.
    private func isFirst(_ thread: Int, _ next: GraphClock) -> Bool {
        let first = Int(next[thread])
        if first > counts[thread] { return false }
        let name = EventName(thread, first)
        for other in 0..<threadCount where other != thread {
            var index = Int(next[other])
            while index <= counts[other] {
                let event = self.event(other, index)
                if event.pointee.order == .seqcst {
                    if isBeforeByPsc(EventName(other, index), name) { return false }
                    if event.pointee.kind == .fence { break }
                }
                index += 1
            }
        }
        return true
    }

    /// Whether psc leads from `a` to `b`, which are sequentially consistent events of different threads.
    private func isBeforeByPsc(_ a: EventName, _ b: EventName) -> Bool {
        let aIsFence = event(a).pointee.kind == .fence
        let bIsFence = event(b).pointee.kind == .fence
        switch (aIsFence, bIsFence) {
        case (false, false): return precedes(a, b)
        case (true, true): return happensBefore(a, b) || isBeforeByValues(fence: a, fence: b)
        case (true, false): return precedes(a, b) || anyEvent(after: a) { precedes($0, b) }
        case (false, true): return precedes(a, b) || anyEvent(before: b) { precedes(a, $0) }
        }
    }

    /// Whether some access that the first fence happens before leads, by reads-from, modification order and
    /// reads-before, to some access that happens before the second fence. Anything else that psc demands of two fences
    /// follows from this or from happens-before.
    private func isBeforeByValues(fence a: EventName, fence b: EventName) -> Bool {
        // For each object two numbers: the lowest place of a write after the first fence, and that of any access after
        // it.
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

    /// Whether the test holds for one of the events that the given one happens before.
    @inline(__always) private func anyEvent(after name: EventName, _ test: (EventName) -> Bool) -> Bool {
        for thread in 0..<threadCount {
            var index = counts[thread]
            let first = thread == name.thread ? name.index : 0
            // What an event has seen, all later events of its thread have seen too.
            while index > first, contains(seenBy(event(thread, index)), name) {
                if test(EventName(thread, index)) { return true }
                index -= 1
            }
        }
        return false
    }

    /// Whether the test holds for one of the events that happen before the given one.
    @inline(__always) private func anyEvent(before name: EventName, _ test: (EventName) -> Bool) -> Bool {
        let seen = seenBy(event(name))
        for thread in 0..<threadCount {
            let last = thread == name.thread ? name.index - 1 : seen.entry(thread)
            for index in 0..<last where test(EventName(thread, index + 1)) { return true }
        }
        return false
    }

    private func happensBefore(_ a: EventName, _ b: EventName) -> Bool { a != b && contains(seenBy(event(b)), a) }

    /// The relation scb: `a` is sequenced before `b`; or it happens before `b`, and both are on one object or the path
    /// leads over other objects; or it precedes `b` by modification order or reads-before.
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
            // A path over other objects would also make `a` happen before `b`.
            return false
        }
        return happensBeforeByOthers(a, b)
    }

    /// Whether `a` happens before `b` by a path on which the event after `a` and the event before `b`, in their
    /// threads, are on other objects.
    private func happensBeforeByOthers(_ a: EventName, _ b: EventName) -> Bool {
        var next = a.index + 1
        while next <= counts[a.thread] && isSameObject(a, EventName(a.thread, next)) { next += 1 }
        var before = b.index - 1
        while before > 0 && isSameObject(b, EventName(b.thread, before)) { before -= 1 }
        if before == 0 { return false }
        if next > counts[a.thread] { return isJoined(a.thread, before: EventName(b.thread, before)) }
        return happensBefore(EventName(a.thread, next), EventName(b.thread, before))
    }

    /// Whether the event is a join of the thread, or a join happens before it. The end of a thread is not an event, so
    /// this stands for it.
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

    /// Whether the event accesses an atomic. A step on a lock or semaphore does not count, not even a failed attempt:
    /// what it finds is not ordered with fences.
    private func isAccess(_ event: UnsafeMutablePointer<GraphEvent>) -> Bool {
        !isOrdered(event.pointee.object)
            && (event.pointee.kind.writes || event.pointee.kind.reads && event.pointee.source != .none)
    }
}
