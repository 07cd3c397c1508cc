import Execution
import Machine
import Synchronization
import Trace

/// What the queues of a run share: for each thread, the queues whose blocks it is running; and a list of objects that
/// drop their references at the end of the run, because a block that never ran may refer to its own queue.
final class QueuesOfRun: RunBound, @unchecked Sendable {
    /// An array with an entry for each thread number. Each thread uses only its own entry.
    private let held: UnsafeMutablePointer<HeldQueues>
    private static let count = MachineState.maximumThreads
    /// The objects to notify at the end of the run.
    private let notified = Synchronization.Mutex<[Notified]>([])

    private struct Notified {
        weak let object: (any RunBound)?
    }

    private init() {
        held = .allocate(capacity: Self.count)
        held.initialize(repeating: HeldQueues(), count: Self.count)
    }

    deinit {
        for thread in 0..<Self.count { held[thread].free() }
        held.deallocate()
    }

    /// The queues of the caller's run.
    static var current: QueuesOfRun {
        let queues = ThreadContext.runtime.with { $0.knownSlots }.queues { QueuesOfRun() }
        return unsafeDowncast(queues, to: QueuesOfRun.self)
    }

    /// Arranges that `runHasEnded` of the object is called at the end of the run.
    func add(_ object: any RunBound) { notified.withLock { $0.append(Notified(object: object)) } }

    func runHasEnded() {
        for thread in 0..<Self.count { held[thread].removeAll() }
        let ending = notified.withLock { notified in
            defer { notified = [] }
            return notified
        }
        for entry in ending { entry.object?.runHasEnded() }
    }

    // MARK: - What threads run

    /// Notes that the thread begins a block of the queue.
    ///
    /// - Returns: the thread's entry, from which the queue must be popped when the block is over.
    @inline(__always) @discardableResult
    func push(_ level: QueueLevel, for thread: ThreadID) -> UnsafeMutablePointer<HeldQueues> {
        let entry = held + Int(thread.index)
        entry.pointee.push(level)
        return entry
    }

    func innermost(of thread: ThreadID) -> QueueLevel? { held[Int(thread.index)].innermost }

    /// Whether the thread runs a block of the queue, or of a queue that targets it.
    func contain(_ level: QueueLevel, for thread: ThreadID) -> Bool {
        held[Int(thread.index)].contains { $0.contains { $0 === level } }
    }
}

/// The main queue, whose blocks run in the main thread's run loop.
extension WorkQueue {
    /// The main thread's queue, for any thread: its blocks run in order on the main thread, when it runs its loop in
    /// the default mode (Dispatch's main queue). The first use by the main thread makes the queue, so use it there
    /// before starting threads that need it.
    ///
    /// - Throws: `Misuse` `wrong-thread`, on another thread, if the main thread has not used it.
    public static var main: WorkQueue {
        get throws {
            guard ThreadContext.isInRun else { return QueuesOutsideRuns.current.main }
            let runtime = ThreadContext.runtime.counted
            if runtime.currentThread != .main {
                return unsafeDowncast(try KnownSlots.MainObject.queue.find(), to: WorkQueue.self)
            }
            if let queue = runtime.knownSlots.mainObject(.queue).object {
                return unsafeDowncast(queue, to: WorkQueue.self)
            }
            let name = "main queue"
            let level = QueueLevel(name, width: 1, target: nil, at: .unknown)
            let queue = WorkQueue(
                level, QueueLine(of: level, at: .unknown), WorkerPool(name, 1, at: .unknown), loop: try RunLoop.main)
            runtime.setSlotValue(runtime.knownSlot(.mainQueue), queue)
            KnownSlots.MainObject.queue.publish(queue)
            return queue
        }
    }

    /// Queues a block of the main queue: a call that the main thread's run loop makes. It is in no line (ticket 0).
    func queue(on loop: RunLoop, at site: SourceSite, _ block: @escaping @Sendable () throws -> Void) throws {
        level.hold.record(.queueAsync, at: site)
        let item = WorkItem(of: level, keepsLevel: true, isBarrier: false, ticket: 0, site: site, body: block)
        try loop.perform {
            var item = item
            try item.level.take(barrier: false, at: item.site)
            try item.run()
        }
    }

    /// The main thread runs the block, and the caller waits. If the caller is the main thread itself, it waits for
    /// itself: a deadlock.
    @usableFromInline
    func waitForLoop<Result>(at site: SourceSite, _ block: () throws -> Result) throws -> Result {
        guard let loop else { preconditionFailure("workers run the blocks of this queue") }
        if level.hold.currentThread == .main {
            // The second lock of the same mutex is a deadlock of the thread with itself, which reports show.
            if !level.isHeldByCaller { try level.take(barrier: false, at: site) }
            try level.take(barrier: false, at: site)
        }
        // `withoutActuallyEscaping` puts the name of this file into the compiled code. A fixed name makes the code
        // independent of the folder of the sources.
        #sourceLocation(file:"QueuesOfRun.swift, waitForLoop",line:118)
        return try withoutActuallyEscaping(block) { block in
            let call = Call(block)
            // The end of the run can interrupt the wait.
            defer { call.block = nil }
            try loop.perform(waitUntilDone: true) { try call.make(in: self.level, site) }
            return try call.result!.get()
        }
        #sourceLocation()
    }

    /// A block that the main thread runs while its caller waits, so the two threads never use it at the same time.
    private final class Call<Result>: @unchecked Sendable {
        var block: (() throws -> Result)?
        private(set) var result: Swift.Result<Result, any Error>?

        init(_ block: @escaping () throws -> Result) { self.block = block }

        func make(in level: QueueLevel, _ site: SourceSite) throws {
            guard let block else { return }
            try level.take(barrier: false, at: site)
            result = Swift.Result { try level.running(block) }
            try level.give(barrier: false, at: site)
        }
    }
}

extension WorkQueue {
    /// The concurrent queue that all code of the run shares (Dispatch's global queue). Like the main queue, it is made
    /// by the main thread's first use, so that it is the same object in every schedule.
    ///
    /// - Parameter width: see `init`. The width of the first use counts.
    /// - Throws: `Misuse` `wrong-thread`, on another thread, if the main thread has not used it.
    package static func global(width: Int) throws -> WorkQueue {
        guard ThreadContext.isInRun else { return QueuesOutsideRuns.current.global(width: width) }
        let runtime = ThreadContext.runtime.counted
        if runtime.currentThread != .main {
            return unsafeDowncast(try KnownSlots.MainObject.globalQueue.find(), to: WorkQueue.self)
        }
        if let queue = runtime.knownSlots.mainObject(.globalQueue).object {
            return unsafeDowncast(queue, to: WorkQueue.self)
        }
        let queue = try WorkQueue("global queue", width: width)
        runtime.setSlotValue(runtime.knownSlot(.globalQueue), queue)
        KnownSlots.MainObject.globalQueue.publish(queue)
        return queue
    }
}

/// The main queue and the global queue outside of runs, for instance in a global's initializer. Any thread may be the
/// first to use them. The process's main thread runs no run loop of threadlab, so both queues have workers.
private final class QueuesOutsideRuns: RunBound {
    private let queues = Execution.Guarded<(main: WorkQueue?, global: WorkQueue?)>((nil, nil))

    static var current: QueuesOutsideRuns {
        ThreadContext.runtime.with { $0.knownSlots }.shared { QueuesOutsideRuns() }
    }

    var main: WorkQueue { queue(\.main) { WorkQueue(outsideRuns: "main queue", width: 1) } }

    func global(width: Int) -> WorkQueue {
        queue(\.global) { WorkQueue(outsideRuns: "global queue", width: width) }
    }

    private func queue(
        _ member: WritableKeyPath<(main: WorkQueue?, global: WorkQueue?), WorkQueue?>, make: () -> WorkQueue
    ) -> WorkQueue {
        if let present = queues.withLock({ $0[keyPath: member] }) { return present }
        let new = make()
        return queues.withLock { queues in
            if let present = queues[keyPath: member] { return present }
            queues[keyPath: member] = new
            return new
        }
    }

    func runHasEnded() {}
}

extension WorkQueue {
    fileprivate convenience init(outsideRuns name: String, width: Int) {
        let level = QueueLevel(name, width: width, target: nil, at: .unknown)
        self.init(level, QueueLine(of: level, at: .unknown), WorkerPool(name, width, at: .unknown), loop: nil)
    }
}
