// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

import Execution
import Glibc
import Primitives

extension Lab {
    /// The type of POSIX, on the clocks of the run.
    public struct timespec: Sendable {
        public var tv_sec: Int
        public var tv_nsec: Int

        public init() { self.init(tv_sec: 0, tv_nsec: 0) }
        public init(tv_sec: Int, tv_nsec: Int) { (self.tv_sec, self.tv_nsec) = (tv_sec, tv_nsec) }
    }

    /// The type of POSIX, on the clocks of the run.
    public struct timeval: Sendable {
        public var tv_sec: Int
        public var tv_usec: Int

        public init() { self.init(tv_sec: 0, tv_usec: 0) }
        public init(tv_sec: Int, tv_usec: Int) { (self.tv_sec, self.tv_usec) = (tv_sec, tv_usec) }
    }
}

/// The seconds that a clock has counted when a run begins: those of a calendar begin in 1970, and the run with the year
/// 2001, as `Lab.Date` does.
private func beginning(of clock: clockid_t) -> Int {
    clock == CLOCK_REALTIME ? Int(Lab.Date.timeIntervalBetween1970AndReferenceDate) : 0
}

extension Lab.timespec {
    func instant(on clock: clockid_t) -> Instant {
        let (seconds, overflow) = tv_sec.subtractingReportingOverflow(beginning(of: clock))
        if overflow { return .distantPast }
        return Instant(nanoseconds: 0) + .seconds(seconds) + .nanoseconds(tv_nsec)
    }

    var duration: Duration { .seconds(tv_sec) + .nanoseconds(tv_nsec) }
}

/// The time of the run: under the scheduler it is virtual, and passes only when no thread can continue.
@discardableResult
public func clock_gettime(_ clock: clockid_t, _ time: UnsafeMutablePointer<Lab.timespec>) -> Int32 {
    let now = Instant.now.nanoseconds
    time.pointee = Lab.timespec(
        tv_sec: now / 1_000_000_000 + beginning(of: clock), tv_nsec: now % 1_000_000_000)
    return 0
}

/// The time of the run, as `clock_gettime(CLOCK_REALTIME, …)` gives it.
@discardableResult
public func gettimeofday(_ time: UnsafeMutablePointer<Lab.timeval>, _ zone: UnsafeMutableRawPointer?) -> Int32 {
    var now = Lab.timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    time.pointee = Lab.timeval(tv_sec: now.tv_sec, tv_usec: now.tv_nsec / 1000)
    return 0
}

/// Waits that long. No signal interrupts it.
@discardableResult
public func nanosleep(
    _ time: UnsafePointer<Lab.timespec>, _ rest: UnsafeMutablePointer<Lab.timespec>?,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let duration = time.pointee.duration
    must { try Thread.sleep(for: duration, file: file, line: line) }
    return 0
}

/// Functions whose types are the system's: a global of the same name would be taken for the system's, or the other way round.
extension Lab {
    /// Waits that many seconds. No signal interrupts it, so nothing is left of them.
    @discardableResult
    public static func sleep(_ seconds: UInt32, file: StaticString = #fileID, line: UInt = #line) -> UInt32 {
        must { try Primitives.Thread.sleep(for: .seconds(seconds), file: file, line: line) }
        return 0
    }

    /// Waits that many millionths of a second. No signal interrupts it.
    @discardableResult
    public static func usleep(_ microseconds: UInt32, file: StaticString = #fileID, line: UInt = #line) -> Int32 {
        must { try Primitives.Thread.sleep(for: .microseconds(microseconds), file: file, line: line) }
        return 0
    }

    /// Lets other threads run.
    @discardableResult
    public static func sched_yield(file: StaticString = #fileID, line: UInt = #line) -> Int32 {
        must { try Primitives.Thread.yield(file: file, line: line) }
        return 0
    }
}

extension Lab.DispatchTime {
    public init(timespec time: Lab.timespec) {
        self.init(timespec: Glibc.timespec(tv_sec: time.tv_sec, tv_nsec: time.tv_nsec))
    }
}
