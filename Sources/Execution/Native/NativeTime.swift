import CPthread
import Glibc
import Machine
import Trace

/// Points in time on the monotonic clock, as POSIX calls take them.
enum NativeTime {
    /// The interval, in nanoseconds, at which blocked calls that only their object can wake check whether the run has
    /// ended.
    ///
    /// All check at the same moments, the multiples of this: in between, a blocked thread really sleeps, so that an
    /// outside observer can see that all of them do.
    static let slice = 20_000_000

    static func timespec(_ nanoseconds: Int) -> CPthread.timespec {
        let nanoseconds = max(0, nanoseconds)
        return CPthread.timespec(
            tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }

    static var now: Int { Int(RecordingClock.nanoseconds()) }

    /// The end of the present slice.
    static var sliceEnd: Int { (now / slice + 1) * slice }
}

extension NativeRuntime {
    /// A deadline of the run's clock on the monotonic clock. One that is too distant becomes the latest possible.
    func absolute(_ deadline: Int) -> Int {
        let (sum, overflow) = deadline.addingReportingOverflow(start)
        return overflow ? Operation.never : sum
    }

    /// Blocks, in slices.
    ///
    /// - Parameters:
    ///   - deadline: on the run's clock.
    ///   - attempt: makes the POSIX call, which blocks at most until the given time of the monotonic clock, and returns
    ///     its error code.
    /// - Returns: whether the call succeeded before the deadline.
    /// - Throws: `RunEnded`.
    func block(until deadline: Int, _ attempt: (Int) -> Int32) throws -> Bool {
        let deadline = absolute(deadline)
        while true {
            try checkRunning()
            let end = min(deadline, NativeTime.sliceEnd)
            switch attempt(end) {
            case 0: return true
            case ETIMEDOUT: if NativeTime.now >= deadline { return false }
            case EINTR, EAGAIN: continue
            case let code: check(code, "a timed POSIX call")
            }
        }
    }

    /// - Parameter duration: the duration of sleep that the scenario asked for, if any, for traces.
    func sleep(
        until deadline: Int, meaning duration: Int, _ me: NativeThread, _ site: SourceSite
    ) throws -> Int {
        me.record(.threadSleep, 0, duration > 0 ? duration : max(0, deadline - now), site)
        _ = try block(until: deadline) { end in
            var time = NativeTime.timespec(end)
            let code = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
            return code == 0 ? ETIMEDOUT : code
        }
        me.record(.threadAwake, 0, 0, site)
        return 0
    }
}
