import Execution
import Trace

/// A queue of blocks that threads of a pool run, in the order in which they were queued (Dispatch `DispatchQueue`). A
/// serial queue runs one at a time, a concurrent one several. Built on a mutex and conditions.
///
/// A thread that runs a block *holds* the queue: in traces the queue is a lock of that thread. So if a block calls
/// `sync` on its own queue, directly, from a block of another queue, or through a target, that is a deadlock.
public final class WorkQueue: Sendable {
    /// How a block is queued.
    public struct Flags: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// In a concurrent queue, the block runs alone, after earlier blocks and before later ones. In a serial queue
        /// every block runs like this.
        public static let barrier = Flags(rawValue: 1)
    }

    /// Its name in traces.
    public let name: String
    let level: QueueLevel
    /// The items that wait in this queue and in those that share its line.
    let queueLine: QueueLine
    let pool: WorkerPool
    /// The run loop that runs the blocks, for the main queue. Nil: workers run them.
    let loop: RunLoop?
    @usableFromInline let isOnLoop: Bool

    /// - Parameters:
    ///   - name: its name in traces, made unique within the run.
    ///   - width: the maximum number of blocks that workers run at once. 1: a serial queue. A block of `sync` runs on
    ///     the calling thread, and is not counted.
    ///   - target: a queue that a thread holds too while it runs a block of this one. So blocks of different queues
    ///     with the same serial target run one at a time.
    ///   - pool: the threads that run its blocks. Nil: the target's; without a target as many threads as the width.
    /// - Throws: `Misuse` `invalid-value`, if the width is less than 1, or if it has both a target and a pool, or if
    ///   the target is the main queue.
    public convenience init(
        _ name: String? = nil, width: Int = 1, target: WorkQueue? = nil, pool: WorkerPool? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        guard width > 0 && (target == nil || pool == nil) && target?.loop == nil else {
            throw Misuse.recorded(.invalidValue, at: site)
        }
        let name = name ?? "queue"
        let level = QueueLevel(name, width: width, target: target?.level, at: site)
        self.init(
            level, target?.queueLine ?? QueueLine(of: level, at: site),
            target?.pool ?? pool ?? WorkerPool(name, width, at: site), loop: nil)
    }

    init(_ level: QueueLevel, _ queueLine: QueueLine, _ pool: WorkerPool, loop: RunLoop?) {
        name = level.name
        self.level = level
        self.queueLine = queueLine
        self.pool = pool
        self.loop = loop
        isOnLoop = loop != nil
    }

    // MARK: - Blocks

    /// Queues the block and returns at once. A worker runs it later. An error that leaves the block ends the run.
    ///
    /// - Throws: `ThreadCreationFailed`, if the pool has no thread and cannot create one. The block does not run.
    public func async(
        flags: Flags = [], file: StaticString = #fileID, line: UInt = #line,
        _ block: @escaping @Sendable () throws -> Void
    ) throws {
        try async(flags, at: SourceSite(file, line), block)
    }

    /// For built primitives, which pass their caller's site.
    func async(
        _ flags: Flags = [], at site: SourceSite, _ block: @escaping @Sendable () throws -> Void
    ) throws {
        if let loop { return try queue(on: loop, at: site, block) }
        try pool.gate.lock(at: site)
        do {
            let ticket = try queueLine.append(level, barrier: flags.contains(.barrier), at: site, block)
            level.hold.record(.queueAsync, queueLine.count, at: site)
            do { try pool.serveIfNeeded(queueLine, at: site) } catch {
                try queueLine.remove(ticket, at: site)
                throw error
            }
        } catch {
            try pool.gate.unlock(at: site)
            throw error
        }
        try pool.gate.unlock(at: site)
    }

    /// Waits until the earlier blocks that exclude this one have run, and runs it on the calling thread. A block of the
    /// main queue runs on the main thread.
    ///
    /// If a block calls `sync` of a queue that it holds, it waits for itself.
    ///
    /// - Returns: what the block returns.
    /// - Throws: what the block throws.
    @inlinable
    public func sync<Result>(
        flags: Flags = [], file: StaticString = #fileID, line: UInt = #line, _ block: () throws -> Result
    ) throws -> Result {
        let site = SourceSite(file, line)
        let barrier = flags.contains(.barrier)
        if isOnLoop { return try waitForLoop(at: site, block) }
        let held = try begin(barrier: barrier, at: site)
        let result: Result
        do { result = try block() } catch {
            try end(held, barrier: barrier, at: site)
            throw error
        }
        try end(held, barrier: barrier, at: site)
        return result
    }

    /// Acquires the queue for a block of the calling thread, once no earlier block that excludes it is left. If the
    /// line is empty, each earlier block is over, or a thread holds the queue for it: then no turn is needed, and
    /// acquiring the queue is enough.
    @usableFromInline func begin(barrier: Bool, at site: SourceSite) throws -> UnsafeMutablePointer<HeldQueues> {
        if level.isHeldByOneMutex {
            if let caller = try queueLine.takeIfFree(level.hold, at: site) { return level.beginBlock(on: caller) }
            try takeOccupied(barrier: barrier, at: site)
        } else if try queueLine.isOccupied(at: site) {
            try takeOccupied(barrier: barrier, at: site)
        } else {
            try level.take(barrier: barrier, at: site)
        }
        return level.beginBlock(on: level.hold.currentThread)
    }

    /// Releases the queue after the block of `sync`.
    @usableFromInline func end(_ held: UnsafeMutablePointer<HeldQueues>, barrier: Bool, at site: SourceSite) throws {
        held.pointee.pop()
        try level.give(barrier: barrier, at: site)
    }

    /// Acquires the queue while items wait in the line. If the calling thread itself runs a block that excludes the new
    /// one, the new one's turn would never come. Then the thread waits for the queue that it holds instead, so that
    /// reports show a deadlock of the thread with itself.
    @inline(never) private func takeOccupied(barrier: Bool, at site: SourceSite) throws {
        if level.isExcludedByCaller(barrier: barrier) {
            try level.take(barrier: barrier, at: site)
        } else {
            try takeInTurn(barrier: barrier, at: site)
        }
    }

    /// Takes a place in the line, waits until it is its turn, and acquires the queue.
    private func takeInTurn(barrier: Bool, at site: SourceSite) throws {
        let gate = pool.gate
        try gate.lock(at: site)
        do {
            let ticket = try queueLine.append(level, barrier: barrier, at: site, nil)
            try queueLine.awaitTurn(ticket, with: gate, at: site)
            if try !level.tryTake(barrier: barrier, at: site) {
                try gate.unlock(at: site)
                try level.take(barrier: barrier, at: site)
                try gate.lock(at: site)
            }
            try queueLine.remove(ticket, at: site)
            do { try pool.serveIfNeeded(queueLine, at: site) } catch {
                try level.give(barrier: barrier, at: site)
                throw error
            }
        } catch {
            try gate.unlock(at: site)
            throw error
        }
        try gate.unlock(at: site)
    }

    // MARK: - Suspending

    /// Lets no worker begin a further block of this queue, until `resume` has been called as many times. Running blocks
    /// continue, and so does a `sync` whose turn has come, because it needs no worker.
    public func suspend(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try pool.gate.withLock(at: site) {
            level.state.value.suspensions += 1
            try queueLine.noteSuspension(of: level, at: site)
            level.hold.record(.queueSuspend, at: site)
        }
    }

    /// Undoes one `suspend`.
    ///
    /// - Throws: `Misuse` `invalid-value`, if the queue is not suspended. `ThreadCreationFailed`, if blocks wait and
    ///   the pool cannot create a thread for them: the queue stays suspended.
    public func resume(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try pool.gate.withLock(at: site) {
            guard level.state.value.suspensions > 0 else { throw Misuse.recorded(.invalidValue, at: site) }
            level.state.value.suspensions -= 1
            try queueLine.noteSuspension(of: level, at: site)
            level.hold.record(.queueResume, at: site)
            do { try pool.serveIfNeeded(queueLine, at: site) } catch {
                level.state.value.suspensions += 1
                try queueLine.noteSuspension(of: level, at: site)
                level.hold.record(.queueSuspend, at: site)
                throw error
            }
        }
    }
}

/// States that only blocks of this queue run the code: the calling thread holds the queue, directly or because it is
/// the target of a queue that the thread holds (Dispatch `dispatchPrecondition(condition: .onQueue(…))`).
///
/// - Throws: `Misuse` `wrong-queue`.
public func precondition(onQueue queue: WorkQueue, file: StaticString = #fileID, line: UInt = #line) throws {
    guard queue.level.isHeldByCaller else { throw Misuse.recorded(.wrongQueue, at: SourceSite(file, line)) }
}

extension WorkQueue {
    /// Whether the calling thread may use data that the queue protects: it holds the queue, as in
    /// `precondition(onQueue:)`, or it is the main thread and this is the main queue.
    package var isOfCaller: Bool { level.isHeldByCaller || isOnLoop && level.hold.currentThread == .main }

    /// Whether the calling thread runs a block that excludes all others of the queue. For a serial queue, the same as
    /// `isOfCaller`.
    package var isOfCallerAlone: Bool { level.isSerial ? isOfCaller : level.hold.isBarrierOfCaller }

    /// Returns a new queue like this one, with another target or with none. Only for a queue in which no blocks wait,
    /// and that no other thread uses yet.
    ///
    /// - Throws: `Misuse` `invalid-value`, if blocks wait, or if one of the queues is the main queue.
    package func moved(to target: WorkQueue?, file: StaticString, line: UInt) throws -> WorkQueue {
        let site = SourceSite(file, line)
        guard loop == nil && target?.loop == nil else { throw Misuse.recorded(.invalidValue, at: site) }
        let suspensions = try pool.gate.withLock(at: site) {
            guard !queueLine.hasItems(of: level) else { throw Misuse.recorded(.invalidValue, at: site) }
            return level.state.value.suspensions
        }
        let queue = try WorkQueue(name, width: level.width, target: target, file: file, line: line)
        let specifics = level.specifics.withLock { $0 }
        queue.level.specifics.withLock { $0 = specifics }
        for _ in 0..<suspensions { try queue.suspend(file: file, line: line) }
        return queue
    }
}

// MARK: - Its remarks in traces

extension Remark {
    static let queueAsync = Remark(
        "queue.async", "queue a block in {object}", value: .number, counts: .level,
        says: "It queued a block in the work queue; the number of blocks that have not begun")
    static let queueSuspend = Remark("queue.suspend", "suspend {object}", says: "It suspended the work queue")
    static let queueResume = Remark("queue.resume", "resume {object}", says: "It took back one suspension")
}

extension WorkQueue {
    /// A key under which queues store a value (Dispatch `DispatchSpecificKey`).
    public final class SpecificKey<Value: Sendable>: Sendable {
        public init() {}
    }

    /// Stores a value for the queue under the key, or removes it.
    public func setSpecific<Value>(_ key: SpecificKey<Value>, _ value: Value?) {
        level.specifics.withLock { $0[ObjectIdentifier(key)] = value }
    }

    /// The queue's own value, or nil. A target's value does not count.
    public func getSpecific<Value>(_ key: SpecificKey<Value>) -> Value? { level.specific(key) }

    /// The value of the queue whose block the calling thread runs (the innermost one, if there are several), or else of
    /// its target, and so on.
    ///
    /// The result does not tell which queues the thread holds: inside `sync`, it also holds the queue of the calling
    /// block.
    public static func getSpecific<Value>(_ key: SpecificKey<Value>) -> Value? {
        var level = QueueLevel.current
        while let present = level {
            if let value = present.specific(key) { return value }
            level = present.target
        }
        return nil
    }
}

extension QueueLevel {
    fileprivate func specific<Value>(_ key: WorkQueue.SpecificKey<Value>) -> Value? {
        specifics.withLock { $0[ObjectIdentifier(key)] as? Value }
    }
}
