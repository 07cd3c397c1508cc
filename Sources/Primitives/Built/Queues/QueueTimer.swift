import Execution
import Text
import Trace

/// The delayed blocks of a pool's queues, and a thread that puts each block into its queue when it is due. The thread
/// exists while there are such blocks.
final class QueueTimer: RunBound {
    private let name: String
    /// The pool's lock.
    private let gate: Part
    /// Signaled when a block is added before all others.
    private let change: Part
    private let state = Guarded(State())

    private struct State {
        /// In the order of their due times; for equal times, in the order of their addition.
        var blocks: [Block] = []
        var hasThread = false
    }

    private struct Block {
        let due: Instant
        /// Puts the block into its queue.
        let queue: @Sendable () throws -> Void
    }

    init(of pool: String, _ gate: Part, at site: SourceSite) {
        name = "\(pool.possessive) timer"
        self.gate = gate
        change = Part(.condition, "the next block that is due in \(pool)", at: site)
        QueuesOfRun.current.add(self)
    }

    func runHasEnded() { state.value.blocks = [] }

    /// Arranges that `queue` is called at the due time. The caller holds the pool's lock.
    ///
    /// - Throws: `ThreadCreationFailed`. `queue` is then not called.
    func call(_ due: Instant, at site: SourceSite, _ queue: @escaping @Sendable () throws -> Void) throws {
        let index = state.value.blocks.firstIndex { $0.due > due } ?? state.value.blocks.endIndex
        state.value.blocks.insert(Block(due: due, queue: queue), at: index)
        if !state.value.hasThread {
            do { try startThread(at: site) } catch {
                state.value.blocks.remove(at: index)
                throw error
            }
        } else if index == 0 {
            try change.signal(at: site)
        }
    }

    private func startThread(at site: SourceSite) throws {
        let thread = try Thread(name, ThreadAttributes(isDetached: true), at: site) { try self.run() }
        // Like a worker, the thread may be cut off when the process ends.
        ThreadContext.runtime.record(.queueServe, 0, Int(thread.id.index), at: site)
        state.value.hasThread = true
    }

    /// The body of the thread. It holds the lock, except while it waits or queues a block. If it leaves by an error,
    /// because the run ends or a block cannot be queued, it does not hold the lock.
    private func run() throws {
        try gate.lock(at: .unknown)
        while let first = state.value.blocks.first {
            if try change.wait(with: gate, until: first.due, at: .unknown) { continue }
            // Other blocks may have become due at the same time or earlier.
            while let next = state.value.blocks.first, next.due <= first.due {
                state.value.blocks.removeFirst()
                try gate.unlock(at: .unknown)
                try next.queue()
                try gate.lock(at: .unknown)
            }
        }
        state.value.hasThread = false
        try gate.unlock(at: .unknown)
    }
}

extension WorkQueue {
    /// Queues the block at the deadline, and returns at once (Dispatch `asyncAfter(deadline:)`). From then on it is
    /// like a block of `async`: it waits for earlier blocks, and for a thread. If the deadline has passed, the block is
    /// queued at once. `.distantFuture` never comes.
    ///
    /// A thread of the pool waits for the deadlines, and runs no blocks itself.
    ///
    /// - Throws: `ThreadCreationFailed`, if that thread cannot be created. The block does not run.
    public func asyncAfter(
        deadline: Instant, flags: Flags = [], file: StaticString = #fileID, line: UInt = #line,
        _ block: @escaping @Sendable () throws -> Void
    ) throws {
        let site = SourceSite(file, line)
        if deadline == .distantFuture { return }
        if deadline <= .now { return try async(flags, at: site, block) }
        try pool.gate.withLock(at: site) {
            try pool.timer(at: site).call(deadline, at: site) { try self.async(flags, at: site, block) }
        }
    }
}
