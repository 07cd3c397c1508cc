import Primitives

extension Lab {
    /// A lock that can be tried, or waited for until a time: `NSLock` and `NSRecursiveLock`.
    open class TimedLock: OwnedLock, @unchecked Sendable {
        @_disfavoredOverload
        open func `try`() -> Bool { must(orElse: true) { try mutex.tryLock() } }

        @_disfavoredOverload
        open func lock(before limit: Date) -> Bool { must(orElse: true) { try mutex.lock(until: limit.instant) } }

        /// Acquires the lock if it is free. Returns whether the caller now has it.
        public final func `try`(file: StaticString = #fileID, line: UInt = #line) -> Bool {
            must(orElse: true) { try mutex.tryLock(file: file, line: line) }
        }

        /// Waits until the lock is free or the time has come. Returns whether the caller now has it.
        public final func lock(before limit: Date, file: StaticString = #fileID, line: UInt = #line) -> Bool {
            must(orElse: true) { try mutex.lock(until: limit.instant, file: file, line: line) }
        }
    }
}
