import Trace

/// Answers questions about the past of an event: which earlier events of the run it depends on. Only events that
/// reports show count.
package struct RunPast {
    let trace: TraceDocument
    /// By event: whether reports show it.
    private let shown: [Bool]
    /// By event: the event of another thread that made it possible or whose value it reads. -1: none is known.
    private let origins: [Int32]
    /// The number of events of the run itself.
    let count: Int
    /// By lock: its holders at the end of the run, each with the event with which it has taken the lock.
    private let holders: [ObjectID: [(thread: ThreadID, event: Int)]]
    /// The last shown event of each thread in the run.
    let ends: [ThreadID: Int]

    /// How many events are looked at for one question. What is farther away explains little.
    private static let reach = 100_000
    /// How many objects that a thread has read are followed from the step that shows the finding.
    private static let mostReads = 3
    /// How many of its own steps a thread's last reads may be away from the step that shows the finding.
    private static let nearby = 24

    package init(_ trace: TraceDocument) {
        self.trace = trace
        shown = trace.roles().all.map { $0 == .step }
        count = trace.events.firstIndex { $0.kind.effect.endsRun } ?? trace.events.count
        var finder = CauseFinder()
        var origins: [Int32] = []
        origins.reserveCapacity(trace.events.count)
        var holders: [ObjectID: [(thread: ThreadID, event: Int)]] = [:]
        var ends: [ThreadID: Int] = [:]
        for (index, event) in trace.events.enumerated() {
            finder.consume(event)
            // A lock that was free, or a thread that has started, explains nothing.
            let cause = finder.causes.first { $0.kind != .lock && $0.kind != .creation && $0.kind != .end }
            origins.append(cause.flatMap { Int32(exactly: $0.event) } ?? -1)
            if index >= count { continue }
            if shown[index] { ends[event.thread] = index }
            guard let change = event.lockChange else { continue }
            if change.from != nil { holders[change.lock]?.removeAll { $0.thread == event.thread } }
            if change.to != nil { holders[change.lock, default: []].append((event.thread, index)) }
        }
        (self.origins, self.holders, self.ends) = (origins, holders, ends)
    }

    func event(_ index: Int) -> Event { trace.events[index] }

    func isShown(_ index: Int) -> Bool { shown[index] }

    /// The last shown event before this one for which the condition holds.
    ///
    /// - Parameter index: the number of an event, or the number of all events.
    func last(before index: Int, where holds: (Event) -> Bool) -> Int? {
        var place = index - 1
        let end = max(0, index - Self.reach)
        while place >= end {
            if shown[place] && holds(trace.events[place]) { return place }
            place -= 1
        }
        return nil
    }

    /// The event with which a thread has taken the lock, or a mutex by the end of a wait, for which this wait is. Nil: the
    /// event is no wait for a lock.
    func holder(awaitedBy wait: Int) -> Int? {
        let event = trace.events[wait]
        guard event.kind.effect.waitsForLock else { return nil }
        // Not only events that are shown: the lock may be inside a built object.
        return holders[event.object]?.first?.event
    }

    // MARK: - Causes

    /// The events on which this one depends most, the most important first.
    ///
    /// - Parameter isFault: whether the event shows the finding.
    func causes(of index: Int, isFault: Bool) -> [Int] {
        let event = trace.events[index]
        var found: [Int] = []
        if let origin = origin(of: index) { found.append(origin) }
        // What a thread has read says nothing about a lock that it waits for or holds.
        let effect = event.kind.effect
        if effect.waitsForLock || effect.takesLock || effect.endsThread || effect == .wait(.threadEnd) { return found }
        if isFault { found += reads(before: index) }
        found += outdated(before: index)
        if event.kind.effect.isWrite, event.kind.effect != .update,
            let own = last(before: index, where: { $0.thread == event.thread && $0.object == event.object }),
            trace.events[own].kind.effect.isRead
        {
            found.append(own)
        }
        return found
    }

    /// The event of another thread whose value, signal or permit this event is the consequence of.
    private func origin(of index: Int) -> Int? {
        let origin = Int(origins[index])
        return origin >= 0 && shown[origin] ? origin : nil
    }

    /// What the thread has read shortly before a failure: the last read of each object, and the write that it saw.
    private func reads(before index: Int) -> [Int] {
        let thread = trace.events[index].thread
        var (place, left) = (index, Self.nearby)
        var objects: Set<ObjectID> = []
        var found: [Int] = []
        while left > 0, objects.count < Self.mostReads, let own = last(before: place, where: { $0.thread == thread }) {
            (place, left) = (own, left - 1)
            let event = trace.events[own]
            // What the failing line itself has changed was part of the failure.
            let isSameLine = event.site == trace.events[index].site && event.site != .unknown
            if event.kind.effect.isWrite && isSameLine { found.append(own) }
            guard event.kind.readsMemory, !objects.contains(event.object) else { continue }
            let write = write(readBy: own)
            // What this thread itself has written says nothing about the others, unless the failure is of that read.
            let isOfOthers = write.map { trace.events[$0].thread != thread } ?? true
            guard isOfOthers || objects.isEmpty else { continue }
            objects.insert(event.object)
            found += [own, write].compactMap(\.self)
        }
        return found
    }

    /// The write whose value the event has read. Nil: it read the initial value.
    private func write(readBy index: Int) -> Int? {
        if let origin = origin(of: index), trace.events[origin].kind.effect.isWrite { return origin }
        // Under a weaker memory model, the newest write need not be the one that was read.
        if trace.header.memoryModel != nil && trace.events[index].kind.isOfAtomic { return nil }
        let object = trace.events[index].object
        return last(before: index) { $0.object == object && $0.kind.effect.isWrite }
    }

    /// A value on which the thread has acted although it was no longer true: the last write of another thread since this
    /// thread read the object, the read, and the end of a wait in between. Empty if there is none. If the thread has
    /// read several such objects, the one that the event writes counts, then the one that was read last.
    ///
    /// - Parameters:
    ///   - index: the number of an event of the thread, or `count`.
    ///   - thread: the thread, if the index is not that of an event.
    func outdated(before index: Int, of thread: ThreadID? = nil) -> [Int] {
        let own = thread ?? trace.events[index].thread
        let object = index < count ? trace.events[index].object : .none
        let isWrite = index < count && trace.events[index].kind.effect.isWrite
        // By object: the last write of another thread.
        var changes: [ObjectID: Int] = [:]
        var seen: Set<ObjectID> = []
        var wakeUp: Int?
        var nearest: [Int] = []
        var place = index - 1
        let end = max(0, index - Self.reach)
        while place >= end {
            defer { place -= 1 }
            let event = trace.events[place]
            guard shown[place] else { continue }
            if event.thread == own && event.kind.effect.isUnpark { wakeUp = wakeUp ?? place }
            guard event.kind.accessesMemory, !seen.contains(event.object) else { continue }
            guard event.thread == own else {
                if event.kind.effect.isWrite { changes[event.object] = changes[event.object] ?? place }
                continue
            }
            seen.insert(event.object)
            guard event.kind.readsMemory, let change = changes[event.object] else { continue }
            let steps = [change, place] + [wakeUp].compactMap(\.self)
            if event.object == object || !isWrite { return steps }
            if nearest.isEmpty { nearest = steps }
        }
        return nearest
    }

    /// The write of an atomic after the first of two accesses, and its read before the second, by which the accesses
    /// would be ordered if the memory orders were stronger.
    func sight(between accesses: [Int]) -> [Int] {
        guard accesses.count == 2 else { return [] }
        let (first, second) = (trace.events[accesses[0]].thread, trace.events[accesses[1]].thread)
        guard accesses[0] < accesses[1] else { return [] }
        // By atomic: the first thread's last write so far.
        var writes: [ObjectID: Int] = [:]
        var sight: [Int] = []
        for index in accesses[0]..<accesses[1] where shown[index] {
            let event = trace.events[index]
            guard event.kind.isOfAtomic else { continue }
            if event.thread == second, event.kind.readsMemory, let write = writes[event.object] {
                sight = [write, index]
            }
            if event.thread == first && event.kind.effect.isWrite { writes[event.object] = index }
        }
        return sight
    }
}

extension EventKind {
    /// Whether the event reads or writes an atomic or a cell.
    fileprivate var accessesMemory: Bool { readsMemory || effect.isWrite }

    /// Whether the event reads an atomic or a cell. An update does, too.
    fileprivate var readsMemory: Bool { effect.isRead || effect == .update || effect == .mismatch }
}
