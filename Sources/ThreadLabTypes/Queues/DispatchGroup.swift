import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchGroup`: it counts tasks, and threads can wait until all of them are complete.
    public final class DispatchGroup: @unchecked Sendable {
        private let mutex: Primitives.Mutex
        private let isEmpty: Primitives.Condition
        // Accessed with the mutex held.
        private var count = 0
        /// Each queues the block or item of a `notify`. They are called when the group becomes empty.
        private var notices: [@Sendable () -> Void] = []

        public init(file: StaticString = #fileID, line: UInt = #line) {
            mutex = Primitives.Mutex("group", file: file, line: line)
            isEmpty = Primitives.Condition("group", file: file, line: line)
        }

        // Versions without `file` and `line`, for code that passes these functions by name.

        @_disfavoredOverload
        public func enter() { enter(file: #fileID, line: #line) }

        @_disfavoredOverload
        public func leave() { leave(file: #fileID, line: #line) }

        @_disfavoredOverload
        public func wait() { wait(file: #fileID, line: #line) }

        public func enter(file: StaticString = #fileID, line: UInt = #line) {
            must { try mutex.withLock(file: file, line: line) { count += 1 } }
        }

        /// It is an error to call this more often than `enter`. Dispatch ends the process for it.
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
            file: StaticString = #fileID, line: UInt = #line, execute work: @escaping () -> Void
        ) {
            // Dispatch does not require the block to be sendable.
            nonisolated(unsafe) let work = work
            let isBarrier = flags.contains(.barrier)
            notify(file, line) {
                queue.async(flags: isBarrier ? .barrier : [], file: file, line: line) { work() }
            }
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
}
