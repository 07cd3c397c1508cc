/// A call that the primitives' contract forbids. POSIX reports some of these with an error code and leaves others
/// undefined; here each has a name. Recordings contain the raw value.
public enum MisuseKind: UInt8, CaseIterable, Sendable {
    case unlockNotOwner = 1
    case relock
    case destroyHeld
    case waitNotOwner
    case waitOtherMutex
    case joinSelf
    case joinTwice
    case joinDetached
    case detachTwice
    case detachJoined
    case semaphoreOverflow
    case invalidValue
    case wrongThread
    case startTwice
    case notStarted
    case usedAfterRelease
    case releasedTwice
    case wrongQueue
    case invalidFree

    /// The stable identifier that saved traces and scripts use.
    public var identifier: String {
        switch self {
        case .unlockNotOwner: "unlock-not-owner"
        case .relock: "relock"
        case .destroyHeld: "destroy-held"
        case .waitNotOwner: "wait-not-owner"
        case .waitOtherMutex: "wait-other-mutex"
        case .joinSelf: "join-self"
        case .joinTwice: "join-twice"
        case .joinDetached: "join-detached"
        case .detachTwice: "detach-twice"
        case .detachJoined: "detach-joined"
        case .semaphoreOverflow: "semaphore-overflow"
        case .invalidValue: "invalid-value"
        case .wrongThread: "wrong-thread"
        case .startTwice: "start-twice"
        case .notStarted: "not-started"
        case .usedAfterRelease: "used-after-release"
        case .releasedTwice: "released-twice"
        case .wrongQueue: "wrong-queue"
        case .invalidFree: "invalid-free"
        }
    }

    public init?(identifier: String) {
        guard let kind = Self.allCases.first(where: { $0.identifier == identifier }) else { return nil }
        self = kind
    }

    /// What went wrong. Completes the sentence "thread t …" or "it was a misuse to …".
    public var explanation: String {
        switch self {
        case .unlockNotOwner: "unlocked a lock that it does not hold"
        case .relock: "locked a lock that it holds already"
        case .destroyHeld: "destroyed an object that is still in use"
        case .waitNotOwner: "waited on a condition without holding its mutex"
        case .waitOtherMutex: "waited with a mutex other than the one that the present waiters use"
        case .joinSelf: "joined itself"
        case .joinTwice: "joined a thread that has been joined already"
        case .joinDetached: "joined a detached thread"
        case .detachTwice: "detached a thread that is detached already"
        case .detachJoined: "detached a thread that has been joined already"
        case .semaphoreOverflow: "signaled a semaphore beyond its maximum value"
        case .invalidValue: "passed a value that POSIX refuses"
        case .wrongThread: "used an object that belongs to another thread"
        case .startTwice: "started a thread that has been started already"
        case .notStarted: "waited for the end of a thread that has not been started"
        case .usedAfterRelease: "used an object after its last reference was released"
        case .releasedTwice: "released an object that has no reference left"
        case .wrongQueue: "ran code that belongs to a queue of which it runs no block"
        case .invalidFree: "freed an address at which no block of memory begins"
        }
    }
}

/// What reports say about a thread outside a run that used an object of the run.
package enum ForeignThreadWords {
    /// - Parameter object: the object's name.
    package static func sentence(_ object: String) -> String {
        "A thread that does not belong to the run used \(object)"
    }

    /// - Parameters:
    ///   - operation: what the thread was about to do, by the machine's name of the operation.
    ///   - place: ` at FILE:LINE`, or empty.
    package static func story(_ operation: String, _ place: String) -> String {
        "This happened\(place), by '\(operation)': the lab has not started that thread, and can neither hold it back nor "
            + "know what it waits for."
    }

    /// What to use instead.
    package static let advice = """
        Start threads by the lab: by 'Thread', or by 'Lab.Thread', 'Lab.DispatchQueue' or 'Lab.OperationQueue'. \
        Foundation's 'Thread', Dispatch, 'Task', 'pthread_create' and the callbacks of libraries have threads of their own.
        """
}
