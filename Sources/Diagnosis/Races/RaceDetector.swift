import Trace

/// Finds data races: two accesses to one cell, at least one of them a write, that are not ordered by synchronization.
/// In compiled programs, memory can be accessed as an atomic too: such an access races with plain ones. Freeing memory
/// counts as a write of all of it.
///
/// It compares vector clocks (after FastTrack: Flanagan and Freund, 2009): it reports the races that the run's events
/// show, harmless ones included, and no others. Of each cell it reports the first race.
package struct RaceDetector: Detector {
    private var lockSets = LockSets()
    /// The set of locks that each thread holds now. Nil if it was not determined since the thread last took or released
    /// a lock.
    private var currentSet = PerThread<LockSets.Number?>(nil)

    // For each cell, the accesses with which a later one could race: the last write, and each thread's last read
    // since then.
    private var writes = PerObject<CellAccess?>(nil)
    private var reads = PerObject<[CellAccess]>([])
    // For each cell, each thread's last accesses as an atomic since the last plain write.
    private var atomicWrites = PerObject<[CellAccess]>([])
    private var atomicReads = PerObject<[CellAccess]>([])
    private var threadUse = PerObject(ThreadUse())
    private var lockUse = PerObject(LockUse())
    /// What threads have read from atomics without being ordered after the write.
    private var sights = WeakSights()

    /// The races. `sight` is the read of an atomic that would have ordered the accesses, had its memory orders been
    /// stronger.
    private var races: [(earlier: CellAccess, later: CellAccess, sight: WeakSights.Sight?)] = []
    private var isRacy = PerObject(false)
    /// By thread: the number of the first event of its last release of memory.
    private var lastFree = PerThread<Int?>(nil)

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        guard !run.isOver else { return }
        sights.consume(event, number: run.count)
        let effect = event.kind.effect
        if effect == .read(.cell) || effect == .write(.cell) || effect == .free {
            if event.kind == .cellFree { lastFree[event.thread] = run.count }
            access(event, run)
        } else if event.kind.isOfAtomic {
            accessAtomically(event, run)
        } else if event.lockChange != nil {
            currentSet[event.thread] = nil
        }
    }

    /// Compares a plain access with earlier ones, and remembers it.
    private mutating func access(_ event: Event, _ run: RunState) {
        let number = event.kind == .cellFreeRest ? lastFree[event.thread] ?? run.count : run.count
        let access = CellAccess(
            event: event, number: number, time: run.order.time(of: event.thread),
            locks: lockSet(of: event.thread, run))
        let cell = event.object
        threadUse[cell].add(access)
        lockUse[cell].add(access.locks)
        guard !isRacy[cell] else { return }
        if let earlier = rival(of: access, run) {
            note(earlier, access)
        } else if access.isWrite {
            writes[cell] = access
            reads[cell].removeAll(keepingCapacity: true)
            atomicWrites[cell].removeAll(keepingCapacity: true)
            atomicReads[cell].removeAll(keepingCapacity: true)
        } else {
            reads[cell].keepLast(access)
        }
    }

    /// Compares an access as an atomic with earlier plain ones, and remembers it.
    private mutating func accessAtomically(_ event: Event, _ run: RunState) {
        let cell = event.object
        guard !isRacy[cell] else { return }
        // A write that releases has already advanced its thread's time. The clock that it passes on has the time before
        // that, so a thread that acquires it has seen this access.
        let passesOn = event.kind.effect.isWrite && event.order.releases
        let access = CellAccess(
            event: event, number: run.count, time: run.order.time(of: event.thread) - (passesOn ? 1 : 0),
            locks: lockSet(of: event.thread, run))
        if let earlier = rivalOfAtomic(access, run) {
            note(earlier, access)
        } else if access.isWrite {
            atomicWrites[cell].keepLast(access)
        } else {
            atomicReads[cell].keepLast(access)
        }
    }

    /// The maximum number of races. No report shows more.
    private static let mostRaces = 1000

    private mutating func note(_ earlier: CellAccess, _ later: CellAccess) {
        isRacy[later.event.object] = true
        // What is freed as a whole is one race, however many cells it has.
        let isKnown = races.contains { known in
            later.isFree && known.later.number == later.number
                || earlier.isFree && known.earlier.number == earlier.number
        }
        if isKnown { return }
        guard races.count < Self.mostRaces else { return }
        races.append(
            (earlier, later, sights.last(of: later.thread, writtenBy: earlier.thread, after: earlier.number)))
    }

    private mutating func lockSet(of thread: ThreadID, _ run: RunState) -> LockSets.Number {
        if let known = currentSet[thread] { return known }
        let number = lockSets.number(of: run.locks(of: thread))
        currentSet[thread] = number
        return number
    }

    /// An earlier access to the same cell that conflicts with this one and is not ordered before it.
    private func rival(of access: CellAccess, _ run: RunState) -> CellAccess? {
        let cell = access.event.object
        let isUnseen = { (earlier: CellAccess) in !isSeen(earlier, by: access, run) }
        if let write = writes[cell], isUnseen(write) { return write }
        if let write = atomicWrites[cell].first(where: isUnseen) { return write }
        guard access.isWrite else { return nil }
        return reads[cell].first(where: isUnseen) ?? atomicReads[cell].first(where: isUnseen)
    }

    /// An earlier plain access that conflicts with this atomic one and is not ordered before it.
    private func rivalOfAtomic(_ access: CellAccess, _ run: RunState) -> CellAccess? {
        let cell = access.event.object
        if let write = writes[cell], !isSeen(write, by: access, run) { return write }
        return access.isWrite ? reads[cell].first { !isSeen($0, by: access, run) } : nil
    }

    private func isSeen(_ earlier: CellAccess, by access: CellAccess, _ run: RunState) -> Bool {
        earlier.thread.index == access.thread.index
            || run.order.has(access.thread, seen: earlier.thread, at: earlier.time)
    }

    /// The numbers, from 0, of the events of each race.
    package var pairs: [(earlier: Int, later: Int)] { races.map { ($0.earlier.number - 1, $0.later.number - 1) } }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        races.map { earlier, later, sight in
            let cell = later.event.object
            return RaceStory(
                names: names, cell: cell, earlier: earlier, later: later, threadUse: threadUse[cell],
                lockUse: lockUse[cell], lockSets: lockSets, sight: sight
            ).finding
        }
    }
}

extension [CellAccess] {
    /// Adds the access, in place of the same thread's earlier one.
    fileprivate mutating func keepLast(_ access: CellAccess) {
        for index in indices where self[index].thread.index == access.thread.index {
            self[index] = access
            return
        }
        append(access)
    }
}
