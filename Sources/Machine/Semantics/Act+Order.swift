/// How each act orders steps.
extension Act {
    /// How a step passes on, or acquires, what its thread has seen.
    package enum Order: UInt8, Sendable {
        case nothing
        /// The thread sees everything done before the object was published.
        case acquires
        /// The next thread to acquire the object sees everything that this one has seen.
        case publishes
        case acquiresAndPublishes
        /// It publishes together with others: the next thread to acquire sees what all of them had seen.
        case addsToPublished
        /// The same among readers: only a writer that acquires sees it.
        case publishesToWriters
        /// It acquires what was published, by readers too.
        case acquiresFromReaders
        /// A wait on a condition releases its mutex, or reacquires it. A signal by itself orders nothing.
        case publishesMutex, acquiresMutex
        /// The thread sees everything that the target did.
        case joins
    }

    package var order: Order {
        switch self {
        case .take, .takeAgain, .takePermit, .share, .load, .mismatch: .acquires
        case .release, .releaseToWrite, .store: .publishes
        case .update: .acquiresAndPublishes
        case .givePermit: .addsToPublished
        case .unshare: .publishesToWriters
        case .takeToWrite: .acquiresFromReaders
        case .beginWait: .publishesMutex
        case .endWait: .acquiresMutex
        case .join: .joins
        default: .nothing
        }
    }

    /// Whether the step ends waits of others, which then wait for their mutex.
    var wakesThreads: Bool { self == .wakeOne || self == .wakeAll }

    /// Whether the step may change the state of a thread other than its own, apart from those that watch what it writes.
    package var changesOtherThreads: Bool {
        switch self {
        case .exit, .inspect, .awake, .readClock, .spawn, .join, .detach, .findAlive, .joinLate, .leaveLate,
            .leaveEarly,
            .wakeOne, .wakeAll, .failLate, .failToWriteLate, .destroy, .misuse:
            true
        default: false
        }
    }

    /// Whether everything that decided what the step found is ordered before it.
    ///
    /// If that is so for all steps of an execution up to a race, then the execution can be rearranged so that the two
    /// accesses are next to each other, because the steps that are ordered before neither of them can be left out.
    ///
    /// - Parameter holdsMutex: whether the thread holds the mutex of the condition concerned. Signals order nothing; the
    ///   mutex does.
    package func findsOnlyOrdered(holdingMutex holdsMutex: Bool) -> Bool {
        switch self {
        case .fail, .failLate, .failToWrite, .failToWriteLate, .look, .findAlive, .joinLate, .leaveLate, .leaveEarly,
            .awake, .readClock, .append:
            false
        case .signalNone, .wakeOne, .wakeAll: holdsMutex
        default: true
        }
    }
}
