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
    /// The chooser's plan could not be followed: the scenario did something else than when the plan was made.
    case diverged
}
