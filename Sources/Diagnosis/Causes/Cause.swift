import Trace

/// An event of one thread that made an event of another thread possible. Lanes show it as an arrow.
package struct Cause: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// The lock was released.
        case lock
        /// A permit was given.
        case permit
        /// The condition was signaled.
        case signal
        /// Something for which the thread waited was written.
        case change
        /// The value that is read was written. The two events are ordered, but the reading thread did not wait.
        case value
        /// Under a weaker memory model: the value that is read was written, the thread had not read this write before,
        /// and it was the newest write.
        case source
        /// Like `source`, but newer values had been written.
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
    /// Whether no earlier event had the same cause. Several readers, for example, can enter after one writer.
    package var isFirst = true

    /// Whether an arrow shows it: the effect waited for the cause, or might have waited, or read something that only
    /// the cause explains. Otherwise it merely comes after the cause.
    package var isShown: Bool { kind != .value }
}
