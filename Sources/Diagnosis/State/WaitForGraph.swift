import Trace

/// Which threads hold locks, and which wait for which others, after the events so far. Events are consumed one at a
/// time, so the graph can be used alongside a running program as well as over a saved trace.
///
/// A cycle of waits without a deadline cannot end by itself, so it is a deadlock if no event of its threads is missing.
/// That all threads are blocked is less certain during a run: a thread counts as blocked until it has recorded that it
/// continues, so ask again after a moment without events.
///
/// Events after the one that ends the run (`EventKind.endsRun`) change nothing, because threads then only unwind.
package struct WaitForGraph {
    private enum Life { case unborn, alive, ended, killed }

    /// Which locks each thread holds.
    private var locks = HeldLocks()
    private var life = PerThread(Life.unborn)
    private var waits = PerThread<Wait?>(nil)
    /// The number of waits that have begun, and by thread that number when its last one began.
    private var waitCount = 0
    private var turns = PerThread(0)
    /// Whether the thread's next wait has a deadline.
    private var hasDeadline = PerThread(false)
    /// What a built object has said about the thread's next wait.
    private var said = PerThread<Wait.Said?>(nil)
    private var waitersByCondition = PerObject<[ThreadID]>([])
    /// The event that ended the run.
    package private(set) var ending: Event?

    package init() { life[.main] = .alive }

    /// - Returns: the change that the event makes to the locks of its thread.
    @discardableResult
    package mutating func consume(_ event: Event) -> HeldLocks.Change {
        // An event of a block of memory tells the block's history, not what the thread does now.
        guard ending == nil, !event.kind.isOfBlock else { return .none }
        let effect = event.kind.effect
        guard !effect.endsRun else {
            ending = event
            return .none
        }
        let thread = event.thread
        if life[thread] == .unborn { life[thread] = .alive }
        if waits[thread] != nil { endWait(of: thread) }
        let change = locks.consume(event)
        if event.kind == .objectWait || event.kind == .objectState {
            note(event)
            return change
        }
        if effect == .limitWait {
            hasDeadline[thread] = true
            return change
        }
        beginWait(event)
        if case .signal(let toAll) = effect { markSignaled(event.object, all: toAll) }
        if case .endThread(let isKilled) = effect { life[thread] = isKilled ? .killed : .ended }
        if effect.createsThread, let created = event.valueAsThread, life[created] == .unborn {
            life[created] = .alive
        }
        return change
    }

    /// Notes what an object says about a wait, immediately before the wait.
    private mutating func note(_ event: Event) {
        if event.kind == .objectWait {
            said[event.thread] = Wait.Said(object: event.object, need: event.value)
        } else {
            said[event.thread]?.state = event.value
        }
    }

    private mutating func beginWait(_ event: Event) {
        let isTimed = hasDeadline[event.thread]
        if isTimed { hasDeadline[event.thread] = false }
        guard var wait = Wait(event, isTimed: isTimed) else { return }
        if let need = said[event.thread] {
            wait.said = need
            said[event.thread] = nil
        }
        waits[event.thread] = wait
        waitCount += 1
        turns[event.thread] = waitCount
        if let condition = wait.condition { waitersByCondition[condition].append(event.thread) }
    }

    private mutating func endWait(of thread: ThreadID) {
        if let condition = waits[thread]?.condition { waitersByCondition[condition].removeFirst(thread) }
        waits[thread] = nil
    }

    /// Notes that waiters have their signal. Only the system knows which of several waiters a single signal woke, so a
    /// single signal marks a waiter only if there is no other.
    private mutating func markSignaled(_ condition: ObjectID, all: Bool) {
        let waiters = waiters(of: condition)
        guard all || waiters.count == 1 else { return }
        for waiter in waiters { waits[waiter]?.isSignaled = true }
    }

    // MARK: - Queries

    /// What the thread waits for; nil if it is not blocked.
    package func wait(of thread: ThreadID) -> Wait? { waits[thread] }

    /// The thread's locks, in the order in which it took them.
    package func locks(of thread: ThreadID) -> [Hold] { locks.locks(of: thread) }

    package func holders(of lock: ObjectID) -> [ThreadID] { locks.holders(of: lock) }

    /// How the thread holds the lock; nil if it does not.
    package func hold(of lock: ObjectID, by thread: ThreadID) -> Hold? { locks.hold(of: lock, by: thread) }

    package func waiters(of condition: ObjectID) -> [ThreadID] { waitersByCondition[condition] }

    /// Whether the thread has been created and has not ended.
    package func isAlive(_ thread: ThreadID) -> Bool { life[thread] == .alive }

    /// Whether the thread has ended, by itself or because it was killed.
    package func hasEnded(_ thread: ThreadID) -> Bool { life[thread] == .ended || wasKilled(thread) }

    /// Whether the thread was ended where it was: another one has killed it, or it has ended itself at once.
    package func wasKilled(_ thread: ThreadID) -> Bool { life[thread] == .killed }

    /// The threads that have been created and have not ended.
    package var alive: [ThreadID] { life.all.filter { $0.value == .alive }.map(\.key) }

    /// Of these waits of blocked threads, the one that began last.
    func latest(of waits: [Wait]) -> Wait? { waits.max { turns[$0.thread] < turns[$1.thread] } }

    /// What every blocked thread waits for.
    package var blocked: [Wait] { waits.all.compactMap(\.value) }

    /// Whether each remaining thread is stuck (`isStuck`). False if no thread remains.
    package var allBlocked: Bool {
        let alive = alive
        return !alive.isEmpty && alive.allSatisfy(isStuck)
    }

    /// The threads that are taken to be stuck for the rest of the run: those in a cycle, those that wait without a
    /// deadline for what any thread may provide (a signal, a permit, a write), and those that wait for one of these. If
    /// each remaining thread is stuck (`isStuck`), all of them.
    package var stuckForever: Set<ThreadID> {
        let stuck = alive.filter(isStuck)
        if allBlocked { return Set(stuck) }
        var found = Set(cycles().flatMap(\.threads) + stuck.filter { blockers(of: $0).isEmpty })
        var count = -1
        while count < found.count {
            count = found.count
            for thread in stuck where blockers(of: thread).contains(where: found.contains) { found.insert(thread) }
        }
        return found
    }

    /// Whether a thread waits for memory to be written.
    package var awaitsMemory: Bool {
        blocked.contains { wait in
            switch wait.target {
            case .memory, .spin: true
            case .mutex, .reading, .writing, .semaphore, .condition, .thread: false
            }
        }
    }

    /// Whether the thread waits without a deadline and, unless its wait is over already, for what another thread does.
    package func isStuck(_ thread: ThreadID) -> Bool {
        guard let wait = waits[thread], !wait.isTimed else { return false }
        switch wait.target {
        case .semaphore, .condition, .memory, .spin: return true
        case .mutex, .reading, .writing, .thread: return !blockers(of: thread).isEmpty
        }
    }

    /// The threads that must all act before this one can continue. Empty for a wait with a deadline, and for one that
    /// any thread may end: by a signal, a permit or a write.
    package func blockers(of thread: ThreadID) -> [ThreadID] {
        guard let wait = waits[thread], !wait.isTimed else { return [] }
        return holders(keepingOut: wait)
    }

    /// The threads that must all act before the wait can end, unless its deadline ends it: see `blockers`.
    package func holders(keepingOut wait: Wait) -> [ThreadID] {
        let thread = wait.thread
        switch wait.target {
        case .mutex(let lock), .writing(let lock): return locks.holders(of: lock)
        case .reading(let lock): return blockersOfReader(thread, lock)
        case .semaphore, .memory, .spin: return []
        // A recursive mutex that the waiter still holds does not keep it out.
        case .condition(_, let mutex):
            return wait.isSignaled ? (mutex.map(locks.holders) ?? []).filter { $0 != thread } : []
        case .thread(let other): return hasEnded(other) ? [] : [other]
        }
    }

    /// A reader waits for the writer that holds the lock. If none does and it waits nevertheless, the lock lets waiting
    /// writers go first: it waits for those.
    private func blockersOfReader(_ reader: ThreadID, _ lock: ObjectID) -> [ThreadID] {
        let writers = locks.holders(of: lock).filter { locks.hold(of: lock, by: $0)?.mode == .exclusive }
        guard writers.isEmpty else { return writers }
        return blocked.filter { $0.target == .writing(lock) }.map(\.thread)
    }

    // MARK: - Cycles

    /// The shortest cycle that contains the thread; nil if there is none.
    package func cycle(from start: ThreadID) -> WaitCycle? {
        var cameFrom: [ThreadID: ThreadID] = [:]
        var queue = [start]
        var read = 0
        while read < queue.count {
            let thread = queue[read]
            read += 1
            for next in blockers(of: thread) where cameFrom[next] == nil {
                cameFrom[next] = thread
                if next == start { return cycle(endingAt: start, cameFrom) }
                queue.append(next)
            }
        }
        return nil
    }

    /// Follows `cameFrom` backwards around the cycle.
    private func cycle(endingAt start: ThreadID, _ cameFrom: [ThreadID: ThreadID]) -> WaitCycle? {
        var links: [WaitCycle.Link] = []
        var next = start
        repeat {
            guard let thread = cameFrom[next], let wait = waits[thread] else { return nil }
            links.append(.init(wait: wait, next: next, hold: hold(awaitedBy: wait, of: next)))
            next = thread
        } while next != start
        return WaitCycle(links: links.reversed())
    }

    /// All cycles. Of several cycles that share a thread, only one is included.
    package func cycles() -> [WaitCycle] {
        var found: [WaitCycle] = []
        var seen: Set<ThreadID> = []
        for wait in blocked where !seen.contains(wait.thread) {
            guard let cycle = cycle(from: wait.thread), seen.isDisjoint(with: cycle.threads) else { continue }
            seen.formUnion(cycle.threads)
            found.append(cycle)
        }
        return found
    }

    /// The hold of the other thread that this wait needs to be released. Nil if the wait is for something else than a
    /// lock that the other thread holds.
    package func hold(awaitedBy wait: Wait, of other: ThreadID) -> Hold? {
        switch wait.target {
        case .mutex(let lock), .reading(let lock), .writing(let lock): locks.hold(of: lock, by: other)
        case .condition(_, let mutex): mutex.flatMap { locks.hold(of: $0, by: other) }
        case .semaphore, .memory, .spin, .thread: nil
        }
    }
}
