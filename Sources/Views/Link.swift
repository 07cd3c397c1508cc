/// One event that made another thread's event possible.
package struct Link: Equatable {
    package enum Kind: String, CaseIterable {
        /// A lock's release, and the next thread that takes it.
        case lock
        /// A permit that is given, and taken after a wait.
        case permit
        /// A signal or broadcast, and the thread that it woke.
        case signal
        /// A write, and the thread that waited for a change.
        case change
        /// A thread's creation, and its first event.
        case start
        /// A thread's end, and the thread that joins it.
        case join
    }

    package var kind: Kind
    /// An index into the trace's events.
    package var from: Int
    /// An index into the trace's events.
    package var to: Int
}
