import Primitives

extension Lab {
    /// Foundation's `NSLock`. Locking it twice is a deadlock of one thread; unlocking it on another thread is a misuse.
    open class NSLock: NSLocking, @unchecked Sendable {
        private let mutex: Primitives.Mutex

        /// For people.
        open var name: String?

        public init(file: StaticString = #fileID, line: UInt = #line) {
            mutex = Primitives.Mutex(nil, .normal, file: file, line: line)
        }

        @_disfavoredOverload
        open func lock() { must { try mutex.lock() } }

        @_disfavoredOverload
        open func unlock() { must { try mutex.unlock() } }

        /// Acquires the lock if it is free. Returns whether the caller now has it.
        open func `try`(file: StaticString = #fileID, line: UInt = #line) -> Bool {
            must { try mutex.tryLock(file: file, line: line) }
        }

        /// Waits until the lock is free or the time has come. Returns whether the caller now has it.
        open func lock(before limit: Date, file: StaticString = #fileID, line: UInt = #line) -> Bool {
            must { try mutex.lock(until: limit.instant, file: file, line: line) }
        }

        // The same calls, with the line that reports show.

        public final func lock(file: StaticString = #fileID, line: UInt = #line) {
            must { try mutex.lock(file: file, line: line) }
        }

        public final func unlock(file: StaticString = #fileID, line: UInt = #line) {
            must { try mutex.unlock(file: file, line: line) }
        }

        public final func withLock<Result, Failure>(
            file: StaticString = #fileID, line: UInt = #line, _ body: () throws(Failure) -> Result
        ) throws(Failure) -> Result {
            lock(file: file, line: line)
            defer { unlock(file: file, line: line) }
            return try body()
        }
    }
}
