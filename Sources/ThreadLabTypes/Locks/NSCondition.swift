import Primitives

extension Lab {
    /// Foundation's `NSCondition`: a lock, and a condition on which its holder can wait.
    open class NSCondition: NSLocking, @unchecked Sendable {
        private let mutex: Primitives.Mutex
        private let condition: Primitives.Condition

        /// For people.
        open var name: String?

        public init(file: StaticString = #fileID, line: UInt = #line) {
            mutex = Primitives.Mutex(file: file, line: line)
            condition = Primitives.Condition(file: file, line: line)
        }

        @_disfavoredOverload
        open func lock() { must { try mutex.lock() } }

        @_disfavoredOverload
        open func unlock() { must { try mutex.unlock() } }

        /// Releases the lock and waits, in one step; reacquires the lock before it returns.
        open func wait(file: StaticString = #fileID, line: UInt = #line) {
            must { try condition.wait(with: mutex, file: file, line: line) }
        }

        /// The same, until that time at the latest. Returns false if it came before a signal.
        @discardableResult
        open func wait(until limit: Date, file: StaticString = #fileID, line: UInt = #line) -> Bool {
            must { try condition.wait(with: mutex, until: limit.instant, file: file, line: line) }
        }

        /// Wakes any one of the waiting threads.
        open func signal(file: StaticString = #fileID, line: UInt = #line) {
            must { try condition.signal(file: file, line: line) }
        }

        /// Wakes all waiting threads.
        open func broadcast(file: StaticString = #fileID, line: UInt = #line) {
            must { try condition.broadcast(file: file, line: line) }
        }

        // The calls of the protocol, with the line that reports show.

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
