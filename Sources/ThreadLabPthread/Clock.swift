// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

// POSIX's clocks and sleeps, on the clock of the run: under the scheduler time is virtual, and by default passes only
// when no thread can continue (`RunRules.timeouts`).

import Execution
import Glibc
import Primitives

extension Lab {
    /// POSIX's `timespec`, for the clocks of the run.
    public struct timespec: Sendable {
        public var tv_sec: Int
        public var tv_nsec: Int

        public init() { self.init(tv_sec: 0, tv_nsec: 0) }
        public init(tv_sec: Int, tv_nsec: Int) { (self.tv_sec, self.tv_nsec) = (tv_sec, tv_nsec) }
    }

    /// POSIX's `timeval`, for the clocks of the run.
    public struct timeval: Sendable {
        public var tv_sec: Int
        public var tv_usec: Int

        public init() { self.init(tv_sec: 0, tv_usec: 0) }
        public init(tv_sec: Int, tv_usec: Int) { (self.tv_sec, self.tv_usec) = (tv_sec, tv_usec) }
    }
}

/// The seconds that a clock shows when a run begins. `CLOCK_REALTIME` counts from 1970, and a run begins with the year
/// 2001, as in `Lab.Date`. All other clocks count from the beginning of the run.
private func beginning(of clock: clockid_t) -> Int {
    clock == CLOCK_REALTIME ? Int(Lab.Date.timeIntervalBetween1970AndReferenceDate) : 0
}

extension Lab.timespec {
    /// The moment of the run at which the clock shows this time.
    func instant(on clock: clockid_t) -> Instant {
        let (seconds, overflow) = tv_sec.subtractingReportingOverflow(beginning(of: clock))
        // Only a time far in the past overflows.
        if overflow { return .distantPast }
        return Instant(nanoseconds: 0) + .seconds(seconds) + .nanoseconds(tv_nsec)
    }

    var duration: Duration { .seconds(tv_sec) + .nanoseconds(tv_nsec) }
}

/// The time of the run, as this clock shows it.
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

/// Waits for the given time. No signal interrupts the wait.
@discardableResult
public func nanosleep(
    _ time: UnsafePointer<Lab.timespec>, _ rest: UnsafeMutablePointer<Lab.timespec>?,
    file: StaticString = #fileID, line: UInt = #line
) -> Int32 {
    let duration = time.pointee.duration
    must { try Thread.sleep(for: duration, file: file, line: line) }
    return 0
}

/// Functions that are members, because a global function with the name and types of the system's would be ambiguous.
extension Lab {
    /// Waits this number of seconds, and returns 0: no signal interrupts the wait.
    @discardableResult
    public static func sleep(_ seconds: UInt32, file: StaticString = #fileID, line: UInt = #line) -> UInt32 {
        must { try Primitives.Thread.sleep(for: .seconds(seconds), file: file, line: line) }
        return 0
    }

    /// Waits this number of microseconds. No signal interrupts the wait.
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
