/// Properties of an operation that are the same in every state.
extension Operation.Kind {
    /// How long the operation waits.
    package enum Patience: UInt8, Sendable { case none, limited, endless }

    package var patience: Patience {
        switch self {
        case .lock, .semaphoreWait, .readLock, .writeLock, .join, .sleepUntil, .wait, .read, .load, .semaphoreValue:
            .endless
        case .lockUntil, .semaphoreWaitUntil, .readLockUntil, .writeLockUntil, .joinUntil: .limited
        default: .none
        }
    }

    /// Whether there are states in which an announced operation of the kind is blocked.
    package var canBlock: Bool { patience != .none && self != .wait }

    /// Whether the second argument is a deadline.
    package var hasDeadline: Bool { patience == .limited || self == .sleepUntil || self == .wait }

    /// Whether it is on an object of the program, like most operations. Not if it concerns a thread, the clock or
    /// everything.
    @inlinable @inline(always) package var isOnObject: Bool {
        // Kinds are numbered in the order of their declaration: those come first.
        unsafeBitCast(self, to: UInt8.self) >= unsafeBitCast(Self.lock, to: UInt8.self)
    }

    /// Whether it acquires a lock.
    package var takesLock: Bool {
        switch self {
        case .lock, .tryLock, .lockUntil, .readLock, .tryReadLock, .readLockUntil, .writeLock, .tryWriteLock,
            .writeLockUntil:
            true
        default: false
        }
    }

    /// Whether it waits, without a time limit, for what certain threads do: it can be part of a cycle.
    package var waitsForThreads: Bool { patience == .endless && (takesLock || self == .join) }

    /// Whether it only reads a word, and may watch it.
    package var isLook: Bool { self == .read || self == .load || self == .semaphoreValue }

    /// Whether it concerns a thread. Its object is the thread's seat, if it has one.
    package var isOnThread: Bool {
        switch self {
        case .spawn, .join, .tryJoin, .joinUntil, .detach: true
        default: false
        }
    }

    /// Whether it asks for a read-write lock as a writer.
    package var isWriteLock: Bool { self == .writeLock || self == .writeLockUntil || self == .tryWriteLock }
}

extension Operation {
    /// The latest moment at which a wait for it ends.
    package var deadline: Int { kind.hasDeadline ? b : Operation.never }

    /// Whether it acquires a lock, and does not wait for it forever.
    package var isAttempt: Bool {
        kind.takesLock && (kind.patience == .none || (kind.patience == .limited && b != Operation.never))
    }

    /// Whether it is the first read of another attempt at an `await`, which waits for a change.
    package var isRenewedLook: Bool { isWatching && b < 0 }
}
