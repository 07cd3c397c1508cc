import Trace

/// A lock that a thread holds.
package struct Hold: Hashable, Sendable {
    package enum Mode: Sendable { case exclusive, shared }

    package var object: ObjectID
    package var mode: Mode
    /// Where the thread took the lock; for a recursive lock, the first time.
    package var site: SiteID
    /// The number of times the thread has taken the lock without releasing it.
    package var depth = 1
}
