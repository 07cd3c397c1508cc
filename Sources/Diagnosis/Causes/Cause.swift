import Trace

/// An event of one thread that made an event of another thread possible: what an arrow between two lanes shows.
package struct Cause: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// The lock was released.
        case lock
        /// A permit was given.
        case permit
        /// The condition was signaled.
        case signal
        /// Something was written for which the thread waited.
        case change
        /// The value that is read was written. It orders the two events, but no thread waited.
        case value
        /// Under a weaker memory model: the value that is read was written, and the thread had not read it before. It was the
        /// newest.
        case source
        /// The same, but newer ones had been written.
        case olderSource = "older source"
        /// The thread was created.
        case creation
        /// The thread that is joined ended.
        case end
    }

    package var kind: Kind
    /// The number of the causing event, from 0.
    package var event: Int
    /// The thread of the causing event.
    package var thread: ThreadID
    /// The lock, semaphore, condition or memory. None for a creation or an end.
    package var object: ObjectID
    /// Whether no earlier event had this cause. Several readers can enter after one writer.
    package var isFirst = true

    /// Whether an arrow shows it: the effect waited for the cause, or would have; or it read what nothing but the cause
    /// tells. Otherwise it only comes after it.
    package var isShown: Bool { kind != .value }
}
