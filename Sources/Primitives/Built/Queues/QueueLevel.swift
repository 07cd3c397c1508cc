import Execution
import Synchronization
import Trace

/// A queue as the threads that run its items see it, with the queues above it: its target, the target of that, and so
/// on. A thread holds all of them while it runs an item.
final class QueueLevel: Sendable {
    let name: String
    /// The maximum number of its items that workers run at the same time.
    let width: Int
    let target: QueueLevel?
    let hold: QueueHold
    /// Whether a thread holds the queue by holding one mutex: it is serial and has no target.
    let isHeldByOneMutex: Bool
    private let run: QueuesOfRun
    /// Accessed only with the pool's lock held.
    let state = Guarded(State())
    /// The values of `WorkQueue.setSpecific`, by key.
    let specifics = Synchronization.Mutex<[ObjectIdentifier: any Sendable]>([:])

    struct State {
        /// The number of `suspend` calls without a `resume`.
        var suspensions = 0
        /// The number of its items that workers are running. −1: one item that excludes all others.
        var running = 0
        /// The number of the last search of the line (`QueueLine.next`) that found an item of this queue and could not
        /// begin it. Later items of the queue must not overtake that item.
        var passedBy = 0
    }

    init(_ name: String?, width: Int, target: QueueLevel?, at site: SourceSite) {
        self.name = name ?? "queue"
        self.width = width
        self.target = target
        isHeldByOneMutex = width == 1 && target == nil
        hold = QueueHold(self.name, isSerial: width == 1, at: site)
        run = QueuesOfRun.current
    }

    var isSerial: Bool { width == 1 }

    /// Whether an item of this queue excludes all its other items: in a serial queue each item does, in a concurrent
    /// one a barrier.
    func runsAlone(barrier: Bool) -> Bool { isSerial || barrier }

    /// Whether the condition holds for the queue, or for one above it.
    func contains(where fits: (QueueLevel) -> Bool) -> Bool { fits(self) || target?.contains(where: fits) == true }

    // MARK: - The calling thread

    /// Runs one of the queue's blocks on the calling thread, which holds the queue.
    func running<Result>(_ block: () throws -> Result) rethrows -> Result {
        let held = beginBlock(on: hold.currentThread)
        defer { held.pointee.pop() }
        return try block()
    }

    /// Notes that the calling thread, which holds the queue, begins to run one of its blocks.
    ///
    /// - Returns: the list from which the queue must be popped when the block is over.
    @inline(__always) func beginBlock(on caller: ThreadID) -> UnsafeMutablePointer<HeldQueues> {
        run.push(self, for: caller)
    }

    var isHeldByCaller: Bool { run.contain(self, for: hold.currentThread) }

    /// Whether the calling thread runs a block that excludes the item which it now wants to run in this queue. If so,
    /// the thread would wait for itself.
    func isExcludedByCaller(barrier: Bool) -> Bool {
        if isHeldByCaller && (runsAlone(barrier: barrier) || hold.isBarrierOfCaller) { return true }
        return target?.isExcludedByCaller(barrier: false) == true
    }

    /// The queue whose block the calling thread runs; if there are several, the innermost.
    static var current: QueueLevel? {
        QueuesOfRun.current.innermost(of: ThreadContext.runtime.currentThread)
    }

    // MARK: - Holding

    /// Waits until the queue is free, and then for each queue above it.
    @inline(__always)
    func take(barrier: Bool, at site: SourceSite) throws {
        if isHeldByOneMutex { try hold.lock(at: site) } else { try takeAll(barrier: barrier, at: site) }
    }

    private func takeAll(barrier: Bool, at site: SourceSite) throws {
        let alone = runsAlone(barrier: barrier)
        try hold.take(alone: alone, at: site)
        guard let target else { return }
        do { try target.take(barrier: false, at: site) } catch {
            try hold.give(alone: alone, at: site)
            throw error
        }
    }

    /// Acquires the queue and all above it if they are free. Otherwise acquires none and returns false.
    func tryTake(barrier: Bool, at site: SourceSite) throws -> Bool {
        let alone = runsAlone(barrier: barrier)
        guard try hold.tryTake(alone: alone, at: site) else { return false }
        guard let target else { return true }
        if try target.tryTake(barrier: false, at: site) { return true }
        try hold.give(alone: alone, at: site)
        return false
    }

    @inline(__always)
    func give(barrier: Bool, at site: SourceSite) throws {
        if isHeldByOneMutex { try hold.unlock(at: site) } else { try giveAll(barrier: barrier, at: site) }
    }

    private func giveAll(barrier: Bool, at site: SourceSite) throws {
        try target?.give(barrier: false, at: site)
        try hold.give(alone: runsAlone(barrier: barrier), at: site)
    }

    // MARK: - What workers may begin, with the pool's lock held

    /// Whether a worker may begin an item now. No queue from this one upwards may be suspended, full, or running an
    /// item that excludes others; and an item that excludes others needs a queue in which none runs.
    func admits(barrier: Bool) -> Bool {
        let running = state.value.running
        guard state.value.suspensions == 0 && (runsAlone(barrier: barrier) ? running == 0 : running >= 0) else {
            return false
        }
        return running < width && target?.admits(barrier: false) != false
    }

    /// Counts an item that a worker begins, in this queue and all above it.
    func begin(barrier: Bool) {
        if runsAlone(barrier: barrier) { state.value.running = -1 } else { state.value.running += 1 }
        target?.begin(barrier: false)
    }

    func end(barrier: Bool) {
        if runsAlone(barrier: barrier) { state.value.running = 0 } else { state.value.running -= 1 }
        target?.end(barrier: false)
    }
}
