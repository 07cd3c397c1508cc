import CLab
import Glibc

/// What the times in a recording count.
package enum RecordingClock: UInt64, Sendable {
    /// The processor's own counter, where it keeps its pace and agrees between cores.
    case ticks = 1
    /// Nanoseconds of the system's monotonic clock.
    case monotonic = 2
    /// Nanoseconds of a virtual clock that begins at zero: whoever records says what time it is.
    case virtual = 3

    /// The cheapest clock of this machine that can be trusted.
    package static let best: RecordingClock = hasTrustworthyTicks ? .ticks : .monotonic

    /// Nanoseconds of the monotonic clock.
    package static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    func read() -> UInt64 {
        switch self {
        case .ticks: clab_ticks()
        case .monotonic: Self.nanoseconds()
        case .virtual: 0
        }
    }

    /// The kernel measures time by the counter only after it has checked it. A guest whose kernel uses its host's clock
    /// looks at what the processor promises.
    private static var hasTrustworthyTicks: Bool {
        #if arch(x86_64)
            let source = SystemText.read("/sys/devices/system/clocksource/clocksource0/current_clocksource", limit: 64)
            if source.hasPrefix("tsc") { return true }
            let processor = SystemText.read("/proc/cpuinfo", limit: 4096)
            return processor.contains(" constant_tsc ") && processor.contains(" nonstop_tsc ")
        #else
            return false
        #endif
    }
}
