import Primitives

extension Lab {
    /// Foundation's `NSCondition`: a lock, and a condition on which its holder can wait.
    open class NSCondition: OwnedLock, @unchecked Sendable {
        private let condition: Primitives.Condition

        public init(file: StaticString = #fileID, line: UInt = #line) {
            condition = Primitives.Condition(file: file, line: line)
            super.init(.normal, file, line)
        }

        @_disfavoredOverload
        open func wait() { must { try condition.wait(with: mutex) } }

        @_disfavoredOverload
        open func signal() { must { try condition.signal() } }

        @_disfavoredOverload
        open func broadcast() { must { try condition.broadcast() } }

        /// Releases the lock and waits, in one step; reacquires the lock before it returns.
        public final func wait(file: StaticString = #fileID, line: UInt = #line) {
            must { try condition.wait(with: mutex, file: file, line: line) }
        }

        /// The same, until that time at the latest. Returns false if it came before a signal.
        @discardableResult
        open func wait(until limit: Date, file: StaticString = #fileID, line: UInt = #line) -> Bool {
            must(orElse: false) { try condition.wait(with: mutex, until: limit.instant, file: file, line: line) }
        }

        /// Wakes any one of the waiting threads.
        public final func signal(file: StaticString = #fileID, line: UInt = #line) {
            must { try condition.signal(file: file, line: line) }
        }

        /// Wakes all waiting threads.
        public final func broadcast(file: StaticString = #fileID, line: UInt = #line) {
            must { try condition.broadcast(file: file, line: line) }
        }
    }
}
