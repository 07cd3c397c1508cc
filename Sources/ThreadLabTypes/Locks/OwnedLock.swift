import Primitives

extension Lab {
    /// What the locks on a mutex have in common: `NSLock`, `NSRecursiveLock` and `NSCondition`.
    open class OwnedLock: NSLocking, Identified, @unchecked Sendable {
        let mutex: Primitives.Mutex

        /// For people.
        open var name: String?

        init(_ kind: Primitives.Mutex.Kind, _ file: StaticString, _ line: UInt) {
            mutex = Primitives.Mutex(nil, kind, file: file, line: line)
        }

        // What a protocol can ask for, and what is passed by its name.

        @_disfavoredOverload
        open func lock() { must { try mutex.lock() } }

        @_disfavoredOverload
        open func unlock() { must { try mutex.unlock() } }

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
