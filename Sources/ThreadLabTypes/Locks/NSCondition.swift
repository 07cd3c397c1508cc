import Primitives

extension Lab {
    /// Foundation's `NSCondition`: a lock, and a condition on which its holder can wait.
    open class NSCondition: OwnedLock, @unchecked Sendable {
        private let condition: Primitives.Condition

        public init(file: StaticString = #fileID, line: UInt = #line) {
            condition = Primitives.Condition(file: file, line: line)
            super.init(.normal, file, line)
        }

        // Versions without `file` and `line`, for subclasses and for code that passes these functions by name.

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

        /// Releases the lock and waits, until the time at the latest. The lock is held afterwards in either case.
        /// Returns false if the time passed before a signal came.
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

    /// Foundation's `NSConditionLock`: a lock with a number, the *condition*. A thread can wait until the lock is free
    /// and has a certain number.
    open class NSConditionLock: NSLocking, Identified, @unchecked Sendable {
        private let base: Primitives.ConditionLock

        /// A name for the program's own use. Traces do not show it.
        open var name: String?

        public init(condition: Int = 0, file: StaticString = #fileID, line: UInt = #line) {
            base = Primitives.ConditionLock(condition: condition, file: file, line: line)
        }

        /// The current number.
        open var condition: Int { must(orElse: 0) { try base.condition() } }

        @_disfavoredOverload
        open func lock() { must { try base.lock() } }

        @_disfavoredOverload
        open func unlock() { must { try base.unlock() } }

        open func lock(whenCondition condition: Int, file: StaticString = #fileID, line: UInt = #line) {
            must { try base.lock(whenCondition: condition, file: file, line: line) }
        }

        @_disfavoredOverload
        open func `try`() -> Bool { must(orElse: true) { try base.tryLock() } }

        public final func `try`(file: StaticString = #fileID, line: UInt = #line) -> Bool {
            must(orElse: true) { try base.tryLock(file: file, line: line) }
        }

        open func tryLock(whenCondition condition: Int, file: StaticString = #fileID, line: UInt = #line) -> Bool {
            must(orElse: true) { try base.tryLock(whenCondition: condition, file: file, line: line) }
        }

        open func unlock(withCondition condition: Int, file: StaticString = #fileID, line: UInt = #line) {
            must { try base.unlock(withCondition: condition, file: file, line: line) }
        }

        open func lock(
            whenCondition condition: Int, before limit: Date, file: StaticString = #fileID, line: UInt = #line
        ) -> Bool {
            must(orElse: false) {
                try base.lock(whenCondition: condition, until: limit.instant, file: file, line: line)
            }
        }

        // The functions of `NSLocking`, with the line that reports show.

        public final func lock(file: StaticString = #fileID, line: UInt = #line) {
            must { try base.lock(file: file, line: line) }
        }

        public final func unlock(file: StaticString = #fileID, line: UInt = #line) {
            must { try base.unlock(file: file, line: line) }
        }
    }
}
