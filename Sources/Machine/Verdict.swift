/// How a controlled execution ended, as far as the machine can tell. The story is told by the trace of a replay.
package enum Verdict: UInt8, Sendable {
    case completed
    /// No thread can go on, now or later.
    case deadlock
    case misuse
    case assertion
    case livelock
    case error
    /// It completed, but a joinable thread was never joined.
    case leak
    /// The execution took more steps than it may.
    case stepLimit
    /// The chooser ended it: its plan could not be followed, or it had seen enough.
    case stopped
}
