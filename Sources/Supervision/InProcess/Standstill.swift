/// How long a program has been at the same step, as far as was observed.
package struct Standstill<Pulse: Equatable> {
    private var lastPulse: Pulse?
    private var lastLook: UInt64 = 0
    /// In nanoseconds.
    package private(set) var time: UInt64 = 0

    package init() {}

    /// - Parameters:
    ///   - pulse: the program's progress now.
    ///   - now: on a clock that never goes back, and stands still when the program does through no fault of its own:
    ///     see `OwnClock`.
    package mutating func look(_ pulse: Pulse, at now: UInt64) {
        time = pulse == lastPulse ? time + (now - lastLook) : 0
        lastPulse = pulse
        lastLook = now
    }
}
