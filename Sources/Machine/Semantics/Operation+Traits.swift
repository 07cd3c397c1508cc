/// What is the same for an operation in every state.
extension Operation.Kind {
    /// How long the operation waits for what it wants.
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

    /// Whether it is to take a lock.
    package var takesLock: Bool {
        switch self {
        case .lock, .tryLock, .lockUntil, .readLock, .tryReadLock, .readLockUntil, .writeLock, .tryWriteLock,
            .writeLockUntil:
            true
        default: false
        }
    }

    /// Whether it only looks at a word, and may watch it.
    package var isLook: Bool { self == .read || self == .load || self == .semaphoreValue }

    /// Whether it is about a thread. Its object is the thread's seat, if it has one.
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
    /// When a wait for it ends at the latest.
    package var deadline: Int { kind.hasDeadline ? b : Operation.never }

    /// Whether it is to take a lock, and does not wait for it forever.
    package var isAttempt: Bool {
        kind.takesLock && (kind.patience == .none || (kind.patience == .limited && b != Operation.never))
    }

    /// Whether it is the first look of another attempt at an `await`, which waits for a change.
    package var isRenewedLook: Bool { isWatching && b == Watch.again }
}
