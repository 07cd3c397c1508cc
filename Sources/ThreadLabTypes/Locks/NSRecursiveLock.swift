extension Lab {
    /// Foundation's `NSRecursiveLock`: the thread that holds it can lock it again.
    open class NSRecursiveLock: TimedLock, @unchecked Sendable {
        public init(file: StaticString = #fileID, line: UInt = #line) { super.init(.recursive, file, line) }
    }
}
