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
