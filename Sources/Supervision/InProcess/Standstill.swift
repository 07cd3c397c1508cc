/// How long a program has been at the same step, as far as was observed.
package struct Standstill<Pulse: Equatable> {
    private var lastPulse: Pulse?
    private var lastLook: UInt64 = 0
    private let longestLook: UInt64
    /// In nanoseconds.
    package private(set) var time: UInt64 = 0

    /// - Parameter longestLook: the maximum time that counts between two looks, in nanoseconds: the process that looks may
    ///   itself have been stopped for a while.
    package init(longestLook: UInt64) { self.longestLook = longestLook }

    /// - Parameters:
    ///   - pulse: the program's progress now.
    ///   - now: on a clock that never goes back.
    package mutating func look(_ pulse: Pulse, at now: UInt64) {
        time = pulse == lastPulse ? time + min(now - lastLook, longestLook) : 0
        lastPulse = pulse
        lastLook = now
    }
}
