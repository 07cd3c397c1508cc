extension Lab {
    /// Foundation's `NSLock`. Locking it twice is a deadlock of one thread; unlocking it on another thread is a misuse.
    open class NSLock: TimedLock, @unchecked Sendable {
        public init(file: StaticString = #fileID, line: UInt = #line) { super.init(.normal, file, line) }
    }
}
