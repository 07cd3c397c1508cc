import Execution
import Primitives

extension Lab {
    /// The `OSAllocatedUnfairLock` of Apple's systems, which Linux lacks. Copies are the same lock. To lock it twice,
    /// or to unlock it on another thread, is a misuse, for which Apple's systems end the process.
    public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
        /// What `precondition` demands of the calling thread.
        public enum Ownership: Hashable, Sendable { case owner, notOwner }

        fileprivate let storage: Storage

        fileprivate final class Storage {
            let mutex: Primitives.Mutex
            /// The number of the thread that holds it, plus one. 0: no thread holds it. A thread only compares it with
            /// its own number.
            private let owner = Guarded(0)
            var state: State

            init(_ state: State, _ file: StaticString, _ line: UInt) {
                mutex = Primitives.Mutex(nil, .errorChecking, file: file, line: line)
                self.state = state
            }

            static var caller: Int { Int(ThreadContext.runtime.currentThread.index) + 1 }

            func lock(_ file: StaticString, _ line: UInt) {
                must { try mutex.lock(file: file, line: line) }
                owner.withLock { $0 = Self.caller }
            }

            func tryLock(_ file: StaticString, _ line: UInt) -> Bool {
                guard must(orElse: true, { try mutex.tryLock(file: file, line: line) }) else { return false }
                owner.withLock { $0 = Self.caller }
                return true
            }

            func unlock(_ file: StaticString, _ line: UInt) {
                if isOwned { owner.withLock { $0 = 0 } }
                must { try mutex.unlock(file: file, line: line) }
            }

            var isOwned: Bool { owner.withLock { $0 } == Self.caller }
        }

        public init(uncheckedState: State, file: StaticString = #fileID, line: UInt = #line) {
            storage = Storage(uncheckedState, file, line)
        }

        public init(initialState: State, file: StaticString = #fileID, line: UInt = #line) where State: Sendable {
            storage = Storage(initialState, file, line)
        }

        // MARK: - With its state

        /// Runs the body with the lock held.
        public func withLockUnchecked<Result, Failure>(
            file: StaticString = #fileID, line: UInt = #line, _ body: (inout State) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            storage.lock(file, line)
            defer { storage.unlock(file, line) }
            return try body(&storage.state)
        }

        /// Runs the body with the lock held.
        public func withLock<Result: Sendable, Failure>(
            file: StaticString = #fileID, line: UInt = #line,
            _ body: @Sendable (inout State) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try withLockUnchecked(file: file, line: line, body)
        }

        /// Runs the body with the lock held, if it is free. Returns nil otherwise.
        public func withLockIfAvailableUnchecked<Result, Failure>(
            file: StaticString = #fileID, line: UInt = #line, _ body: (inout State) throws(Failure) -> Result
        ) throws(Failure) -> Result? {
            guard storage.tryLock(file, line) else { return nil }
            defer { storage.unlock(file, line) }
            return try body(&storage.state)
        }

        /// Runs the body with the lock held, if it is free. Returns nil otherwise.
        public func withLockIfAvailable<Result: Sendable, Failure>(
            file: StaticString = #fileID, line: UInt = #line,
            _ body: @Sendable (inout State) throws(Failure) -> Result
        ) throws(Failure) -> Result? {
            try withLockIfAvailableUnchecked(file: file, line: line, body)
        }

        /// Checks that the caller holds the lock (`owner`) or does not hold it (`notOwner`). If the check fails, the
        /// run ends.
        public func precondition(_ condition: Ownership, file: StaticString = #fileID, line: UInt = #line) {
            must {
                try check(
                    storage.isOwned == (condition == .owner),
                    condition == .owner
                        ? "the thread does not hold the lock, and must" : "the thread holds the lock, and must not",
                    file: file, line: line)
            }
        }
    }
}

extension Lab.OSAllocatedUnfairLock where State == Void {
    public init(file: StaticString = #fileID, line: UInt = #line) {
        self.init(uncheckedState: (), file: file, line: line)
    }

    public func lock(file: StaticString = #fileID, line: UInt = #line) { storage.lock(file, line) }

    public func unlock(file: StaticString = #fileID, line: UInt = #line) { storage.unlock(file, line) }

    /// Acquires the lock if it is free. Returns whether the caller now has it.
    public func lockIfAvailable(file: StaticString = #fileID, line: UInt = #line) -> Bool {
        storage.tryLock(file, line)
    }

    /// Runs the body with the lock held.
    public func withLockUnchecked<Result, Failure>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock(file: file, line: line)
        defer { unlock(file: file, line: line) }
        return try body()
    }

    /// Runs the body with the lock held.
    public func withLock<Result: Sendable, Failure>(
        file: StaticString = #fileID, line: UInt = #line, _ body: @Sendable () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withLockUnchecked(file: file, line: line, body)
    }

    /// Runs the body with the lock held, if it is free. Returns nil otherwise.
    public func withLockIfAvailable<Result: Sendable, Failure>(
        file: StaticString = #fileID, line: UInt = #line, _ body: @Sendable () throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard lockIfAvailable(file: file, line: line) else { return nil }
        defer { unlock(file: file, line: line) }
        return try body()
    }
}
