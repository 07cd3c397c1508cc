import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchGroup`: a number of tasks, for whose end threads can wait.
    public final class DispatchGroup: @unchecked Sendable {
        private let mutex: Primitives.Mutex
        private let isEmpty: Primitives.Condition
        // With the mutex held.
        private var count = 0
        private var notices: [@Sendable () -> Void] = []

        public init(file: StaticString = #fileID, line: UInt = #line) {
            mutex = Primitives.Mutex("group", file: file, line: line)
            isEmpty = Primitives.Condition("group", file: file, line: line)
        }

        // What is passed by its name.

        @_disfavoredOverload
        public func enter() { enter(file: #fileID, line: #line) }

        @_disfavoredOverload
        public func leave() { leave(file: #fileID, line: #line) }

        @_disfavoredOverload
        public func wait() { wait(file: #fileID, line: #line) }

        public func enter(file: StaticString = #fileID, line: UInt = #line) {
            must { try mutex.withLock(file: file, line: line) { count += 1 } }
        }

        /// More calls of `leave` than of `enter` are an error here; Dispatch ends the process.
        public func leave(file: StaticString = #fileID, line: UInt = #line) {
            let due: [@Sendable () -> Void] = must(orElse: []) {
                try mutex.withLock(file: file, line: line) {
                    try check(count > 0, "the group is left more often than it was entered", file: file, line: line)
                    count -= 1
                    if count > 0 { return [] }
                    try isEmpty.broadcast(file: file, line: line)
                    defer { notices = [] }
                    return notices
                }
            }
            for notice in due { notice() }
        }

        public func wait(file: StaticString = #fileID, line: UInt = #line) {
            _ = wait(until: .distantFuture, file, line)
        }

        public func wait(
            timeout: DispatchTime, file: StaticString = #fileID, line: UInt = #line
        ) -> DispatchTimeoutResult {
            wait(until: timeout.instant, file, line) ? .success : .timedOut
        }

        public func wait(
            wallTimeout: DispatchWallTime, file: StaticString = #fileID, line: UInt = #line
        ) -> DispatchTimeoutResult {
            wait(timeout: wallTimeout, file: file, line: line)
        }

        /// Queues the block when the group is empty: now, or when the last task leaves it.
        public func notify(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
            file: StaticString = #fileID, line: UInt = #line, execute work: @escaping @Sendable () -> Void
        ) {
            let isBarrier = flags.contains(.barrier)
            notify(file, line) { queue.async(flags: isBarrier ? .barrier : [], file: file, line: line, execute: work) }
        }

        /// Queues the item when the group is empty: now, or when the last task leaves it.
        public func notify(
            queue: DispatchQueue, file: StaticString = #fileID, line: UInt = #line, work: DispatchWorkItem
        ) {
            notify(file, line) { queue.async(file: file, line: line, execute: work) }
        }

        private func notify(_ file: StaticString, _ line: UInt, _ notice: @escaping @Sendable () -> Void) {
            let isDue = must(orElse: false) {
                try mutex.withLock(file: file, line: line) {
                    if count > 0 { notices.append(notice) }
                    return count == 0
                }
            }
            if isDue { notice() }
        }

        private func wait(until deadline: Instant, _ file: StaticString, _ line: UInt) -> Bool {
            must(orElse: true) {
                try mutex.withLock(file: file, line: line) {
                    while count > 0 {
                        let isSignaled = try isEmpty.wait(with: mutex, until: deadline, file: file, line: line)
                        if !isSignaled { return count == 0 }
                    }
                    return true
                }
            }
        }
    }

    /// Dispatch's `DispatchSemaphore`.
    public final class DispatchSemaphore: Sendable {
        private let base: Primitives.Semaphore

        public init(value: Int, file: StaticString = #fileID, line: UInt = #line) {
            base = mustMake { try Primitives.Semaphore(value: value, file: file, line: line) }
        }

        // What is passed by its name.

        @_disfavoredOverload
        public func wait() { wait(file: #fileID, line: #line) }

        @_disfavoredOverload @discardableResult
        public func signal() -> Int { signal(file: #fileID, line: #line) }

        public func wait(file: StaticString = #fileID, line: UInt = #line) {
            must { try base.wait(file: file, line: line) }
        }

        public func wait(
            timeout: DispatchTime, file: StaticString = #fileID, line: UInt = #line
        ) -> DispatchTimeoutResult {
            must(orElse: false) { try base.wait(until: timeout.instant, file: file, line: line) } ? .success : .timedOut
        }

        public func wait(
            wallTimeout: DispatchWallTime, file: StaticString = #fileID, line: UInt = #line
        ) -> DispatchTimeoutResult {
            wait(timeout: wallTimeout, file: file, line: line)
        }

        /// - Returns: 0. Dispatch says whether a thread was woken, which no code should rely on.
        @discardableResult
        public func signal(file: StaticString = #fileID, line: UInt = #line) -> Int {
            must { try base.signal(file: file, line: line) }
            return 0
        }
    }

    /// Dispatch's `DispatchWorkItem`: a block that can be waited for, and be cancelled before it begins.
    public final class DispatchWorkItem: @unchecked Sendable {
        private let block: @Sendable () -> Void
        let flags: DispatchWorkItemFlags
        private let cancelled: Primitives.Atomic<Bool>
        private let performed: Primitives.Atomic<Int>
        /// Entered until the block has been performed for the first time.
        private let completion: DispatchGroup

        public init(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], file: StaticString = #fileID,
            line: UInt = #line, block: @escaping @Sendable () -> Void
        ) {
            self.block = block
            self.flags = flags
            cancelled = Primitives.Atomic("cancelled", false, file: file, line: line)
            performed = Primitives.Atomic("performed", 0, file: file, line: line)
            completion = DispatchGroup(file: file, line: line)
            completion.enter(file: file, line: line)
        }

        // What is passed by its name.

        @_disfavoredOverload
        public func perform() { perform(file: #fileID, line: #line) }

        @_disfavoredOverload
        public func cancel() { cancel(file: #fileID, line: #line) }

        /// Runs the block on the calling thread, unless the item was cancelled.
        public func perform(file: StaticString = #fileID, line: UInt = #line) {
            if !must(orElse: false, { try cancelled.load(file: file, line: line) }) { block() }
            let times = must(orElse: 1) { try performed.add(1, file: file, line: line) }
            if times == 0 { completion.leave(file: file, line: line) }
        }

        /// Lets the block do nothing if it has not begun.
        public func cancel(file: StaticString = #fileID, line: UInt = #line) {
            must { try cancelled.store(true, file: file, line: line) }
        }

        public var isCancelled: Bool { must(orElse: false) { try cancelled.load() } }

        /// Waits until the block has been performed, or would have been if the item were not cancelled.
        public func wait(file: StaticString = #fileID, line: UInt = #line) { completion.wait(file: file, line: line) }

        public func wait(
            timeout: DispatchTime, file: StaticString = #fileID, line: UInt = #line
        ) -> DispatchTimeoutResult {
            completion.wait(timeout: timeout, file: file, line: line)
        }

        /// Queues another block when this one has been performed.
        public func notify(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
            file: StaticString = #fileID, line: UInt = #line, execute work: @escaping @Sendable () -> Void
        ) {
            completion.notify(qos: qos, flags: flags, queue: queue, file: file, line: line, execute: work)
        }

        public func notify(
            queue: DispatchQueue, file: StaticString = #fileID, line: UInt = #line, execute item: DispatchWorkItem
        ) {
            completion.notify(queue: queue, file: file, line: line, work: item)
        }
    }
}
