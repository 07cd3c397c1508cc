import Trace

/// Data races: two accesses to one plain cell, at least one of them a write, that are not ordered by synchronization.
///
/// It compares vector clocks (after FastTrack: Flanagan and Freund, 2009), so it reports no race that the run's events
/// do not show, and finds one even if the two accesses happened to do no harm. It reports the first race of each cell.
package struct RaceDetector: Detector {
    private var lockSets = LockSets()
    /// The set of locks that each thread holds now. Nil: not determined since the thread last did something other than
    /// access cells.
    private var currentSet = PerThread<LockSets.Number?>(nil)

    // For each cell, the accesses that a later access could race with: the last write, and each thread's last read
    // since.
    private var writes = PerObject<CellAccess?>(nil)
    private var reads = PerObject<[CellAccess]>([])
    private var threadUse = PerObject(ThreadUse())
    private var lockUse = PerObject(LockUse())
    private var sights = WeakSights()

    /// With the reason, if it is a memory order.
    private var races: [(earlier: CellAccess, later: CellAccess, sight: WeakSights.Sight?)] = []
    private var isRacy = PerObject(false)

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        guard !run.isOver else { return }
        sights.consume(event, number: run.count)
        let effect = event.kind.effect
        if effect == .read(.cell) || effect == .write(.cell) {
            access(event, run)
        } else if event.lockChange != nil {
            currentSet[event.thread] = nil
        }
    }

    private mutating func access(_ event: Event, _ run: RunState) {
        let access = CellAccess(
            event: event, number: run.count, time: run.order.time(of: event.thread),
            locks: lockSet(of: event.thread, run))
        let cell = event.object
        threadUse[cell].add(access)
        lockUse[cell].add(access.locks)
        guard !isRacy[cell] else { return }
        if let earlier = rival(of: access, run) {
            isRacy[cell] = true
            races.append(
                (earlier, access, sights.last(of: access.thread, writtenBy: earlier.thread, after: earlier.number)))
        } else if access.isWrite {
            writes[cell] = access
            reads[cell].removeAll(keepingCapacity: true)
        } else {
            reads[cell].keepLast(access)
        }
    }

    private mutating func lockSet(of thread: ThreadID, _ run: RunState) -> LockSets.Number {
        if let known = currentSet[thread] { return known }
        let number = lockSets.number(of: run.locks(of: thread))
        currentSet[thread] = number
        return number
    }

    /// The earlier access to the same cell that is not ordered before this one.
    private func rival(of access: CellAccess, _ run: RunState) -> CellAccess? {
        let cell = access.event.object
        func isSeen(_ earlier: CellAccess) -> Bool {
            earlier.thread.index == access.thread.index
                || run.order.has(access.thread, seen: earlier.thread, at: earlier.time)
        }
        if let write = writes[cell], !isSeen(write) { return write }
        return access.isWrite ? reads[cell].first { !isSeen($0) } : nil
    }

    /// The numbers of the two accesses of each race, from 0.
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
    /// Adds the access, replacing the one of the same thread.
    fileprivate mutating func keepLast(_ access: CellAccess) {
        for index in indices where self[index].thread.index == access.thread.index {
            self[index] = access
            return
        }
        append(access)
    }
}
