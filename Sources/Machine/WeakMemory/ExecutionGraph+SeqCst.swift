/// The order of sequentially consistent events under rc11: the relation psc of the paper has no cycle
/// (Lahav, Vafeiadis, Kang, Hur, Dreyer: "Repairing sequential consistency in C/C++11", PLDI 2017).
extension ExecutionGraph {
    func hasOrderOfSeqCst() -> Bool {
        guard body.pointee.seqCstCount > 1 else { return true }
        var events: [EventName] = []
        for thread in 0..<threadCount {
            for index in 1..<counts[thread] + 1 where event(thread, index).pointee.order == .seqcst {
                events.append(EventName(thread, index))
            }
        }
        return isAcyclic(events)
    }

    /// Whether the events can be sorted: each time, one that no other must precede is taken away.
    private func isAcyclic(_ events: [EventName]) -> Bool {
        var rest = events
        while rest.count > 1 {
            guard let first = rest.firstIndex(where: { b in !rest.contains { a in a != b && isOrdered(a, b) } }) else {
                return false
            }
            rest.remove(at: first)
        }
        return true
    }

    /// Whether psc orders two sequentially consistent events.
    private func isOrdered(_ a: EventName, _ b: EventName) -> Bool {
        let aIsFence = event(a).pointee.kind == .fence
        let bIsFence = event(b).pointee.kind == .fence
        if !aIsFence && !bIsFence { return precedes(a, b) }
        if aIsFence && bIsFence && happensBefore(a, b) { return true }
        return anyEvent { x in
            guard aIsFence ? x == a || happensBefore(a, x) : x == a else { return false }
            return anyEvent { y in
                guard bIsFence ? y == b || happensBefore(y, b) : y == b else { return false }
                if precedes(x, y) { return true }
                return aIsFence && bIsFence && x != a && y != b && isBeforeByValue(x, y)
            }
        }
    }

    private func anyEvent(_ test: (EventName) -> Bool) -> Bool {
        for thread in 0..<threadCount {
            for index in 1..<counts[thread] + 1 where test(EventName(thread, index)) { return true }
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
            if second.pointee.kind.writes, first.pointee.kind.writes || first.pointee.kind.reads {
                return first.pointee.source == .none && first.pointee.kind.reads
                    ? false : place(touchedBy: first) < Int(second.pointee.place)
            }
        }
        return happensBeforeByOthers(a, b)
    }

    private func happensBeforeByOthers(_ a: EventName, _ b: EventName) -> Bool {
        var next = a.index + 1
        while next <= counts[a.thread] && isSameObject(a, EventName(a.thread, next)) { next += 1 }
        if next > counts[a.thread] { return false }
        var before = b.index - 1
        while before > 0 && isSameObject(b, EventName(b.thread, before)) { before -= 1 }
        if before == 0 { return false }
        return happensBefore(EventName(a.thread, next), EventName(b.thread, before))
    }

    private func isSameObject(_ a: EventName, _ b: EventName) -> Bool {
        let object = event(a).pointee.object
        return object != 0 && object == event(b).pointee.object
    }

    /// The relation eco: a chain of reads-from, modification order and reads-before.
    private func isBeforeByValue(_ a: EventName, _ b: EventName) -> Bool {
        let (first, second) = (event(a), event(b))
        guard first.pointee.object != 0, first.pointee.object == second.pointee.object, isAccess(first),
            isAccess(second)
        else { return false }
        let (from, to) = (place(touchedBy: first), place(touchedBy: second))
        return first.pointee.kind.writes && second.pointee.kind.reads ? from <= to : from < to
    }

    private func isAccess(_ event: UnsafeMutablePointer<GraphEvent>) -> Bool {
        event.pointee.kind.writes || event.pointee.kind.reads && event.pointee.source != .none
    }
}
