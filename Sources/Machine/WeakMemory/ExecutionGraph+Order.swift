/// Working memory of the searches for cycles in a graph, which is used again by each.
struct OrderSearch: ~Copyable {
    /// By event: the number of the last search that has reached it.
    var marks = OwnedBuffer<Int32>(repeating: 0, count: 1)
    var stack = OwnedBuffer<EventName>(capacity: 64)
    var depth = 0
    var number: Int32 = 0
    /// Two places for each object: see `isBeforeByValues`.
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

/// Whether a graph is consistent under sc and tso. Both models have one order of all accesses; under tso it is the
/// order in which they reach memory (Owens, Sarkar, Sewell: "A better x86 memory model", TPHOLs 2009, in its axiomatic
/// form).
///
/// Under sc, program order, reads-from, modification order and reads-before have no cycle. Under tso, a store is not
/// ordered before a later load unless something between them drains the buffer, and what a thread reads from its own
/// buffer orders nothing.
///
/// When time passes, under tso everything that has reached memory by then is ordered before everything that follows.
/// Stores that still wait in a buffer may reach memory later.
///
/// Under rc11 only the steps on locks and semaphores are in one order. It must agree with program order and reads-from,
/// because each of these steps finds its object as the machine has it at that moment.
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

    /// A number for each event, by thread and position, such that every event has a greater number than those before it
    /// in the model's order: under sc and tso the order of all accesses; under rc11 that of the steps on locks and
    /// semaphores, with program order and reads-from.
    package func orderNumbers() -> [[Int]] {
        var numbers = (0..<threadCount).map { [Int](repeating: 0, count: counts[$0] + 1) }
        var next = numbers.reduce(0) { $0 + $1.count }
        var isSeen = numbers.map { $0.map { _ in false } }
        for thread in 0..<threadCount {
            for index in 1..<counts[thread] + 1 where !isSeen[thread][index] {
                isSeen[thread][index] = true
                // Depth first, with numbers from the greatest down: an event gets its number after all its successors.
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

    /// The events that directly follow this one in the order.
    private func successors(of name: EventName) -> [EventName] {
        orderSearch.pointee.begin(events: threadCount * body.pointee.eventCapacity)
        pushAccessSuccessors(of: name)
        pushThreadSuccessors(of: name)
        return (0..<orderSearch.pointee.depth).map { orderSearch.pointee.stack[$0] }
    }

    /// Pushes the events that directly follow this one because of its object: the readers of its message, and the next
    /// message. For a spawn, the first event of the new thread.
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
            // The write of an update follows its own read by program order.
            if next != name { orderSearch.pointee.push(next) }
        }
    }

    /// Pushes the events that read the message. Under tso a thread's reads from its own buffer are not ordered.
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

    /// Pushes the events that directly follow this one by program order, as far as the model keeps it, and the joins of
    /// its thread.
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

    /// Under tso: pushes the events of a thread, from this position on, that are ordered after an earlier event. Stops
    /// at the first one after which all later events are ordered anyway.
    ///
    /// - Parameter drains: whether loads are ordered after the earlier event too.
    private func pushOrdered(_ thread: Int, from first: Int, drains: Bool) {
        let end = counts[thread]
        var index = first
        while index <= end {
            let name = EventName(thread, index)
            let later = event(name)
            switch later.pointee.kind {
            // Plain accesses are ordered by the accesses around them. A program in which they are not has a data race,
            // which is found.
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

    /// Under tso: pushes what follows this event in other threads because time has passed after it. Only for an event
    /// that has reached memory by then, not for a store that may still wait.
    private func pushEventsAfterTime(_ name: EventName) {
        guard let front = body.pointee.fronts.first(where: { entry($0, name.thread) >= name.index }) else { return }
        for thread in 0..<threadCount where thread != name.thread {
            pushOrdered(thread, from: entry(front, thread) + 1, drains: true)
        }
    }

    /// Notes that time passes now, after all events in the graph.
    func noteFront() {
        var front = GraphClock.zero
        for thread in 0..<threadCount { front[thread] = UInt16(truncatingIfNeeded: counts[thread]) }
        body.pointee.fronts.append(front)
    }

    /// Pushes the events of other threads that join this event's thread.
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
    /// Under tso: whether everything later in the thread is ordered after the event, loads included.
    var ordersLaterLoads: Bool {
        switch kind {
        case .load, .loadToUpdate, .storeOfUpdate, .lock, .unlock, .sync, .spawn, .join, .start: true
        case .store, .fence: order == .seqcst
        case .read, .write, .choose, .other: false
        }
    }
}
