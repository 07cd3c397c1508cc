import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchWorkItem`: a block that can be waited for, and cancelled before it begins.
    public final class DispatchWorkItem: @unchecked Sendable {
        /// Dispatch does not require the block to be sendable.
        private let block: () -> Void
        let flags: DispatchWorkItemFlags
        private let cancelled: Primitives.Atomic<Bool>
        /// The number of times it has been performed.
        private let performed: Primitives.Atomic<Int>
        /// A group that is left when the block has been performed for the first time.
        private let completion: DispatchGroup

        public init(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], file: StaticString = #fileID,
            line: UInt = #line, block: @escaping () -> Void
        ) {
            self.block = block
            self.flags = flags
            cancelled = Primitives.Atomic("cancelled", false, file: file, line: line)
            performed = Primitives.Atomic("performed", 0, file: file, line: line)
            completion = DispatchGroup(file: file, line: line)
            completion.enter(file: file, line: line)
        }

        // Versions without `file` and `line`, for code that passes these functions by name.

        @_disfavoredOverload
        public func perform() { perform(file: #fileID, line: #line) }

        @_disfavoredOverload
        public func cancel() { cancel(file: #fileID, line: #line) }

        @_disfavoredOverload
        public func wait() { wait(file: #fileID, line: #line) }

        /// Runs the block on the calling thread, unless the item was cancelled.
        public func perform(file: StaticString = #fileID, line: UInt = #line) {
            if !must(orElse: false, { try cancelled.load(file: file, line: line) }) { block() }
            let times = must(orElse: 1) { try performed.add(1, file: file, line: line) }
            if times == 0 { completion.leave(file: file, line: line) }
        }

        /// Makes the block do nothing, if it has not begun.
        public func cancel(file: StaticString = #fileID, line: UInt = #line) {
            must { try cancelled.store(true, file: file, line: line) }
        }

        public var isCancelled: Bool { must(orElse: false) { try cancelled.load() } }

        /// Waits until the item has been performed. A cancelled item counts as performed when its turn has come.
        public func wait(file: StaticString = #fileID, line: UInt = #line) { completion.wait(file: file, line: line) }

        public func wait(
            timeout: DispatchTime, file: StaticString = #fileID, line: UInt = #line
        ) -> DispatchTimeoutResult {
            completion.wait(timeout: timeout, file: file, line: line)
        }

        public func wait(
            wallTimeout: DispatchWallTime, file: StaticString = #fileID, line: UInt = #line
        ) -> DispatchTimeoutResult {
            completion.wait(wallTimeout: wallTimeout, file: file, line: line)
        }

        /// Queues a block when this item has been performed.
        public func notify(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
            file: StaticString = #fileID, line: UInt = #line, execute work: @escaping () -> Void
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
