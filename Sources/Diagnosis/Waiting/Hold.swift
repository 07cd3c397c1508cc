import Trace

/// A lock that a thread has.
package struct Hold: Equatable, Sendable {
    package enum Mode: Sendable { case exclusive, shared }

    package var object: ObjectID
    package var mode: Mode
    /// Where the thread took it: the first time, if it took it again since.
    package var site: SiteID
    /// How many times the thread has taken it and not given it back.
    package var depth = 1
}
