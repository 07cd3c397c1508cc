import Primitives

extension Lab {
    /// Foundation's protocol of objects that can be locked.
    public protocol NSLocking {
        func lock()
        func unlock()
    }
}

extension Lab.NSLocking {
    /// Runs the body with the lock held.
    public func withLock<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}

extension Lab {
    /// Foundation's `NSLock`. Locking it twice is a deadlock of one thread; unlocking it on another thread is a misuse.
    open class NSLock: TimedLock, @unchecked Sendable {
        public init(file: StaticString = #fileID, line: UInt = #line) { super.init(.normal, file, line) }
    }

    /// Foundation's `NSRecursiveLock`: the thread that holds it can lock it again.
    open class NSRecursiveLock: TimedLock, @unchecked Sendable {
        public init(file: StaticString = #fileID, line: UInt = #line) { super.init(.recursive, file, line) }

        fileprivate override var isRecursive: Bool { true }
    }

    /// The common base of locks on a mutex: `NSLock`, `NSRecursiveLock` and `NSCondition`.
    open class OwnedLock: NSLocking, Identified, @unchecked Sendable {
        let mutex: Primitives.Mutex

        /// A name for the program's own use. Traces do not show it.
        open var name: String?

        /// Whether a `deinit` that runs after the end of the run has locked it. The mutex has no effect there. The flag
        /// makes `try` fail nevertheless, for code that asserts in this way that it holds the lock.
        fileprivate var isHeldLate = false
        fileprivate var isRecursive: Bool { false }

        init(_ kind: Primitives.Mutex.Kind, _ file: StaticString, _ line: UInt) {
            mutex = Primitives.Mutex(nil, kind, file: file, line: line)
        }

        private func noteHeldLate() { isHeldLate = true }

        // Versions without `file` and `line`, for the protocol and for code that passes these functions by name.

        @_disfavoredOverload
        open func lock() { must(orElse: noteHeldLate()) { try mutex.lock() } }

        @_disfavoredOverload
        open func unlock() {
            if isHeldLate { isHeldLate = false }
            must { try mutex.unlock() }
        }

        // The same functions, with the line that reports show.

        public final func lock(file: StaticString = #fileID, line: UInt = #line) {
            must(orElse: noteHeldLate()) { try mutex.lock(file: file, line: line) }
        }

        public final func unlock(file: StaticString = #fileID, line: UInt = #line) {
            if isHeldLate { isHeldLate = false }
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

    /// A lock that can be tried, or waited for until a time: `NSLock` and `NSRecursiveLock`.
    open class TimedLock: OwnedLock, @unchecked Sendable {
        @_disfavoredOverload
        open func `try`() -> Bool { must(orElse: tryLate()) { try mutex.tryLock() } }

        @_disfavoredOverload
        open func lock(before limit: Date) -> Bool { must(orElse: true) { try mutex.lock(until: limit.instant) } }

        /// The result of a `try` in a `deinit` that runs after the end of the run.
        private func tryLate() -> Bool {
            defer { isHeldLate = true }
            return !isHeldLate || isRecursive
        }

        /// Acquires the lock if it is free. Returns whether the caller now has it.
        public final func `try`(file: StaticString = #fileID, line: UInt = #line) -> Bool {
            must(orElse: tryLate()) { try mutex.tryLock(file: file, line: line) }
        }

        /// Waits until the lock is free or the time has passed. Returns whether the caller now has it.
        public final func lock(before limit: Date, file: StaticString = #fileID, line: UInt = #line) -> Bool {
            must(orElse: true) { try mutex.lock(until: limit.instant, file: file, line: line) }
        }
    }
}
