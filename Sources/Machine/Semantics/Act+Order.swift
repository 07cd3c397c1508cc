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
}
