import Primitives

extension Lab {
    /// Foundation's `NSConditionLock`: a lock with a number, for whose value a thread can wait.
    open class NSConditionLock: NSLocking, Identified, @unchecked Sendable {
        private let base: Primitives.ConditionLock

        /// For people.
        open var name: String?

        public init(condition: Int = 0, file: StaticString = #fileID, line: UInt = #line) {
            base = Primitives.ConditionLock(condition: condition, file: file, line: line)
        }

        /// The number at this moment.
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

        // The calls of the protocol, with the line that reports show.

        public final func lock(file: StaticString = #fileID, line: UInt = #line) {
            must { try base.lock(file: file, line: line) }
        }

        public final func unlock(file: StaticString = #fileID, line: UInt = #line) {
            must { try base.unlock(file: file, line: line) }
        }
    }
}
