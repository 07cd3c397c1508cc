/// What each act puts in order.
extension Act {
    /// How a step passes on, or takes over, what its thread has seen.
    package enum Order: UInt8, Sendable {
        case nothing
        /// The thread has seen all that was done before the object was published.
        case acquires
        /// The next thread to acquire the object has seen all that this one has.
        case publishes
        case acquiresAndPublishes
        /// It publishes beside others: the next thread to acquire has seen what all of them had.
        case addsToPublished
        /// The same among readers: only a writer that acquires has seen it.
        case publishesToWriters
        /// It acquires what was published, also by readers.
        case acquiresFromReaders
        /// A condition's wait gives its mutex back, or has it again. A signal by itself orders nothing.
        case publishesMutex, acquiresMutex
        /// The thread has seen all that the target did.
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
}
