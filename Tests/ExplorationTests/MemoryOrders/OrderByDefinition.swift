import Trace

/// The races of a run by the definitions of the C++ standard: a graph of its events, and its transitive closure. It shares
/// nothing with the vector clocks that it judges.
struct OrderByDefinition {
    private let events: [Event]
    /// By event: the write that it reads from.
    private var sources: [Int: Int] = [:]
    /// By event and event: whether the first happens before the second.
    private var isBefore: [[Bool]]

    init(_ document: TraceDocument) {
        events = document.events
        isBefore = Array(repeating: Array(repeating: false, count: events.count), count: events.count)
        findSources()
        for (first, event) in events.enumerated() {
            for second in events.indices.dropFirst(first + 1) where isOrderedDirectly(event, events[second]) {
                isBefore[first][second] = true
            }
            if reads(event) { synchronize(first) }
        }
        close()
    }

    /// The cells with two accesses, one of them a write, of which neither happens before the other.
    var racyCells: Set<UInt32> {
        var cells: Set<UInt32> = []
        let accesses = events.indices.filter { isAccess(events[$0]) }
        for first in accesses {
            for second in accesses where second > first && events[first].object == events[second].object {
                let hasWrite = events[first].kind == .cellWrite || events[second].kind == .cellWrite
                if hasWrite && events[first].thread != events[second].thread && !isBefore[first][second] {
                    cells.insert(events[first].object.index)
                }
            }
        }
        return cells
    }

    private func isAccess(_ event: Event) -> Bool { event.kind == .cellRead || event.kind == .cellWrite }
    private func reads(_ event: Event) -> Bool {
        event.kind == .atomicLoad || event.kind == .atomicUpdate || event.kind == .atomicMismatch
    }
    private func writes(_ event: Event) -> Bool { event.kind == .atomicStore || event.kind == .atomicUpdate }

    /// The order of a thread, the start of one, and its end before a join.
    private func isOrderedDirectly(_ first: Event, _ second: Event) -> Bool {
        if first.thread == second.thread { return true }
        if first.kind == .threadCreate { return first.valueAsThread == second.thread }
        return second.kind == .threadJoin && second.valueAsThread == first.thread
    }

    /// Under sequential consistency a read sees the last write before it.
    private mutating func findSources() {
        var last: [UInt32: Int] = [:]
        for (number, event) in events.enumerated() {
            if reads(event) { sources[number] = last[event.object.index] }
            if writes(event) { last[event.object.index] = number }
        }
    }

    /// Adds what the read synchronizes with: whatever released a write from which, through updates, comes what it reads.
    private mutating func synchronize(_ read: Int) {
        var targets: [Int] = []
        if events[read].order.acquires { targets.append(read) }
        targets += fences(of: events[read].thread) { $0 > read && $1.acquires }
        var head = sources[read]
        while let write = head {
            var origins: [Int] = []
            if events[write].order.releases { origins.append(write) }
            origins += fences(of: events[write].thread) { $0 < write && $1.releases }
            for origin in origins { for target in targets { isBefore[origin][target] = true } }
            head = events[write].kind == .atomicUpdate ? sources[write] : nil
        }
    }

    private func fences(of thread: ThreadID, _ isMeant: (Int, MemoryOrder) -> Bool) -> [Int] {
        events.indices.filter { number in
            guard events[number].thread == thread, let order = events[number].valueAsOrder else { return false }
            return isMeant(number, order)
        }
    }

    private mutating func close() {
        for middle in events.indices {
            for first in events.indices where isBefore[first][middle] {
                for last in events.indices where isBefore[middle][last] { isBefore[first][last] = true }
            }
        }
    }
}
