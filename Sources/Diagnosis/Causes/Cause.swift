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
        /// The value that is read was written by the other thread. The read comes after the write, but did not wait for
        /// it.
        case value
        /// Under a weaker memory model: the value that is read was written by the other thread, and it is the newest
        /// one. The reader had not read this write before.
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
    /// The lock, semaphore, condition or memory. `none` for a creation or an end.
    package var object: ObjectID
    /// Whether this is the first effect of a release or a broadcast. Several readers, for example, can enter after one
    /// writer. Always true for other kinds of causes.
    package var isFirst = true

    /// Whether an arrow shows the cause: the effect waited for it, or might have, or reads a value that only the cause
    /// explains. Other effects merely come after their cause.
    package var isShown: Bool { kind != .value }
}
