import Primitives

extension Lab {
    /// Synchronization's `Mutex`: a value that can be accessed only with the lock held.
    public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        private let mutex: Primitives.Mutex
        private let storage: UnsafeMutablePointer<Value>

        public init(
            _ initialValue: consuming sending Value, file: StaticString = #fileID, line: UInt = #line
        ) {
            mutex = Primitives.Mutex(file: file, line: line)
            storage = .allocate(capacity: 1)
            storage.initialize(to: initialValue)
        }

        deinit {
            storage.deinitialize(count: 1)
            storage.deallocate()
        }

        /// Runs the body with the lock held.
        public borrowing func withLock<Result: ~Copyable, Failure>(
            file: StaticString = #fileID, line: UInt = #line,
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            must { try mutex.lock(file: file, line: line) }
            defer { must { try mutex.unlock(file: file, line: line) } }
            return try body(&storage.pointee)
        }

        /// Runs the body with the lock held, if it is free. Returns nil otherwise.
        public borrowing func withLockIfAvailable<Result: ~Copyable, Failure>(
            file: StaticString = #fileID, line: UInt = #line,
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result? {
            guard must(orElse: true, { try mutex.tryLock(file: file, line: line) }) else { return nil }
            defer { must { try mutex.unlock(file: file, line: line) } }
            return try body(&storage.pointee)
        }
    }
}
