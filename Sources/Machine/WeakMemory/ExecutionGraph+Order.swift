/// Working memory of a search for cycles.
struct OrderSearch: ~Copyable {
    /// By event: the number of the search that has reached it.
    var marks = OwnedBuffer<Int32>(repeating: 0, count: 1)
    var stack = OwnedBuffer<EventName>(capacity: 64)
    var depth = 0
    var number: Int32 = 0

    mutating func begin(events: Int) {
        if marks.capacity < events {
            marks = OwnedBuffer(repeating: 0, count: events)
            number = 0
        }
        number += 1
        depth = 0
    }

    @inline(always) mutating func push(_ name: EventName) {
        stack.reserve(depth + 1, keeping: depth)
        stack[depth] = name
        depth += 1
    }
}

/// The models that have one order of all accesses: sc, and x86's order of what reaches memory (Owens, Sarkar, Sewell:
/// "A better x86 memory model", TPHOLs 2009, in its axiomatic form).
///
/// Under sc, program order, reads-from, modification order and reads-before have no cycle. Under tso, a store is not
/// ordered before a later load unless something between them drains the buffer, and what a thread reads from its own
/// buffer orders nothing.
///
/// Under rc11 only the steps on locks and semaphores have an order: one that agrees with program order and reads-from, because
/// each of them finds the state that the machine has then.
extension ExecutionGraph {
    /// Whether no cycle goes through this event, which is the last one of its thread.
    func isInNoCycle(_ name: EventName) -> Bool {
        orderSearch.pointee.begin(events: threadCount * body.pointee.eventCapacity)
        pushAccessSuccessors(of: name)
        while orderSearch.pointee.depth > 0 {
            orderSearch.pointee.depth -= 1
            let next = orderSearch.pointee.stack[orderSearch.pointee.depth]
            if next == name { return false }
            let mark = next.thread * body.pointee.eventCapacity + next.index - 1
            if orderSearch.pointee.marks[mark] == orderSearch.pointee.number { continue }
            orderSearch.pointee.marks[mark] = orderSearch.pointee.number
            pushAccessSuccessors(of: next)
            pushThreadSuccessors(of: next)
        }
        return true
    }

    /// The events on the same object that come after: readers, the next message.
    private func pushAccessSuccessors(of name: EventName) {
        let event = self.event(name)
        let object = Int(event.pointee.object)
        switch event.pointee.kind {
        case .store, .storeOfUpdate, .unlock: pushReaders(of: name, object)
        case .sync: break
        case .spawn:
            if counts[event.pointee.value] > 0 { orderSearch.pointee.push(EventName(event.pointee.value, 1)) }
            return
        case .load, .loadToUpdate, .lock:
            if event.pointee.source == .none { return }
        case .start, .fence, .read, .write, .join, .choose, .other: return
        }
        if model == .rc11 && !isOrdered(event.pointee.object) { return }
        let place = event.pointee.kind.isMessage ? Int(event.pointee.place) : self.place(touchedBy: event)
        if place + 1 < messageCounts[object] {
            let next = messages(of: object)[place + 1]
            // The write of an update comes after its own read by program order.
            if next != name { orderSearch.pointee.push(next) }
        }
    }

    private func pushReaders(of name: EventName, _ object: Int) {
        for thread in 0..<threadCount where model != .tso || thread != name.thread {
            var index = last[thread &* objectCount &+ object]
            while index > 0 {
                let reader = event(thread, Int(index))
                if (reader.pointee.kind.reads || reader.pointee.kind == .lock) && reader.pointee.source == name {
                    orderSearch.pointee.push(EventName(thread, Int(index)))
                }
                index = reader.pointee.previous
            }
        }
    }

    /// The events of the same thread that come after: those from which the others follow.
    private func pushThreadSuccessors(of name: EventName) {
        let end = counts[name.thread]
        var index = name.index + 1
        if model != .tso {
            if index <= end { orderSearch.pointee.push(EventName(name.thread, index)) }
            return pushJoins(of: name)
        }
        let first = event(name)
        let drains = first.pointee.ordersLaterLoads
        while index <= end {
            let later = event(name.thread, index)
            switch later.pointee.kind {
            // They are ordered by the accesses around them: the programs whose plain accesses are not race, which is found.
            case .read, .write, .choose, .other: break
            case .fence where later.pointee.order != .seqcst: break
            case .load:
                if drains {
                    orderSearch.pointee.push(EventName(name.thread, index))
                    return pushJoins(of: name)
                }
            case .store where later.pointee.order != .seqcst: orderSearch.pointee.push(EventName(name.thread, index))
            case .store, .storeOfUpdate, .loadToUpdate, .fence, .lock, .unlock, .sync, .spawn, .join, .start:
                orderSearch.pointee.push(EventName(name.thread, index))
                return pushJoins(of: name)
            }
            index += 1
        }
        pushJoins(of: name)
    }

    /// The events of other threads that follow a thread's end.
    private func pushJoins(of name: EventName) {
        for thread in 0..<threadCount where thread != name.thread {
            var index = last[thread &* objectCount]
            while index > 0 {
                let other = event(thread, Int(index))
                if other.pointee.kind == .join && other.pointee.value == name.thread {
                    orderSearch.pointee.push(EventName(thread, Int(index)))
                }
                index = other.pointee.previous
            }
        }
    }
}

extension GraphEvent {
    /// Under tso: whether what comes later in the thread, loads too, is ordered after it.
    var ordersLaterLoads: Bool {
        switch kind {
        case .load, .loadToUpdate, .storeOfUpdate, .lock, .unlock, .sync, .spawn, .join, .start: true
        case .store, .fence: order == .seqcst
        case .read, .write, .choose, .other: false
        }
    }
}
