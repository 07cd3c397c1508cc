/// Working memory of a search for cycles.
struct OrderSearch: ~Copyable {
    /// By event: the number of the search that has reached it.
    var marks = OwnedBuffer<Int32>(repeating: 0, count: 1)
    var stack = OwnedBuffer<EventName>(capacity: 64)
    var depth = 0
    var number: Int32 = 0
    /// By object: places of its accesses.
    var lowest = OwnedBuffer<Int32>(repeating: .max, count: 1)

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
/// Time passes only where no thread can continue. Under tso, what has reached memory before that comes before all that follows: a
/// thread that waits for a moment does not go back behind it. Stores that wait in a buffer may still reach memory later.
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

    /// Numbers for the events, by thread, that agree with the model's order: that of all accesses under sc and tso; under rc11
    /// that of the steps on locks and semaphores, with program order and reads-from.
    package func orderNumbers() -> [[Int]] {
        var numbers = (0..<threadCount).map { [Int](repeating: 0, count: counts[$0] + 1) }
        var next = numbers.reduce(0) { $0 + $1.count }
        var isSeen = numbers.map { $0.map { _ in false } }
        for thread in 0..<threadCount {
            for index in 1..<counts[thread] + 1 where !isSeen[thread][index] {
                isSeen[thread][index] = true
                // Depth first: an event gets its number when all that come after it have theirs.
                var path = [(name: EventName(thread, index), successors: successors(of: EventName(thread, index)))]
                while let last = path.indices.last {
                    guard let name = path[last].successors.popLast() else {
                        numbers[path[last].name.thread][path[last].name.index] = next
                        next -= 1
                        path.removeLast()
                        continue
                    }
                    if isSeen[name.thread][name.index] { continue }
                    isSeen[name.thread][name.index] = true
                    path.append((name, successors(of: name)))
                }
            }
        }
        return numbers
    }

    private func successors(of name: EventName) -> [EventName] {
        orderSearch.pointee.begin(events: threadCount * body.pointee.eventCapacity)
        pushAccessSuccessors(of: name)
        pushThreadSuccessors(of: name)
        return (0..<orderSearch.pointee.depth).map { orderSearch.pointee.stack[$0] }
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
        let index = name.index + 1
        if model != .tso {
            if index <= end { orderSearch.pointee.push(EventName(name.thread, index)) }
            return pushJoins(of: name)
        }
        let drains = event(name).pointee.ordersLaterLoads
        if drains { pushEventsAfterTime(name) }
        pushOrdered(name.thread, from: index, drains: drains)
        pushJoins(of: name)
    }

    /// Under tso: the events of a thread that come after an earlier one, from this position on.
    ///
    /// - Parameter drains: whether loads do.
    private func pushOrdered(_ thread: Int, from first: Int, drains: Bool) {
        let end = counts[thread]
        var index = first
        while index <= end {
            let name = EventName(thread, index)
            let later = event(name)
            switch later.pointee.kind {
            // They are ordered by the accesses around them: the programs whose plain accesses are not race, which is found.
            case .read, .write, .choose, .other: break
            case .fence where later.pointee.order != .seqcst: break
            case .load: if drains { return orderSearch.pointee.push(name) }
            case .store where later.pointee.order != .seqcst: orderSearch.pointee.push(name)
            case .store, .storeOfUpdate, .loadToUpdate, .fence, .lock, .unlock, .sync, .spawn, .join, .start:
                return orderSearch.pointee.push(name)
            }
            index += 1
        }
    }

    /// Under tso: what follows in all threads when time has passed after this event, which has reached memory then.
    private func pushEventsAfterTime(_ name: EventName) {
        guard let front = body.pointee.fronts.first(where: { entry($0, name.thread) >= name.index }) else { return }
        for thread in 0..<threadCount where thread != name.thread {
            pushOrdered(thread, from: entry(front, thread) + 1, drains: true)
        }
    }

    /// Time passes now.
    func noteFront() {
        var front = GraphClock.zero
        for thread in 0..<threadCount { front[thread] = UInt16(truncatingIfNeeded: counts[thread]) }
        body.pointee.fronts.append(front)
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
