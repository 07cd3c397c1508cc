import Glibc

/// The end of the time of a search, which asks before each execution: so the clock is a coarse one, which costs a few
/// nanoseconds and is exact to a few milliseconds.
struct LocalDeadline {
    private let end: UInt64

    /// - Parameter time: from now, in nanoseconds.
    init(_ time: UInt64) { end = Self.now &+ min(time, .max / 2) }

    var isOver: Bool { Self.now > end }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
