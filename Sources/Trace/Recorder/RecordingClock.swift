import CLab
import Glibc

/// The clock of a recording, and so the unit of its times.
package enum RecordingClock: UInt64, Sendable {
    /// The processor's time stamp counter. Only where its rate is constant and all cores agree.
    case ticks = 1
    /// Nanoseconds of the system's monotonic clock.
    case monotonic = 2
    /// Nanoseconds of a virtual clock that starts at zero. The writer sets the time.
    case virtual = 3

    /// The cheapest reliable clock of this machine.
    package static let best: RecordingClock = hasTrustworthyTicks ? .ticks : .monotonic

    /// Nanoseconds of the monotonic clock.
    package static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The present time. A virtual clock cannot be read.
    func read() -> UInt64 {
        switch self {
        case .ticks: clab_ticks()
        case .monotonic: Self.nanoseconds()
        case .virtual: 0
        }
    }

    /// Whether the time stamp counter can be a clock. The kernel uses it as its own only after checking it. In a
    /// virtual machine whose kernel uses the host's clock, the processor's own guarantee suffices.
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

/// Reads the kernel's small text files.
package enum SystemText {
    /// The first `limit` bytes of the file. Empty: it cannot be read.
    package static func read(_ path: String, limit: Int) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(unsafeUninitializedCapacity: limit) { buffer in
            var count = 0
            while count < limit {
                let n = Glibc.read(descriptor, buffer.baseAddress! + count, limit - count)
                if n < 0 && errno == EINTR { continue }
                guard n > 0 else { break }
                count += n
            }
            return count
        }
    }
}
