import Glibc

/// The time for shrinking one finding: a few seconds, which suffice for most findings. A finding of thousands of steps
/// could be shrunk for minutes, and would hardly be easier to read.
///
/// It is processor time, so that the result hardly depends on what else the machine does.
struct ShrinkingTime: Sendable {
    /// Whose processor time counts.
    enum Clock: Sendable {
        /// The calling thread, in which all attempts are made.
        case thread
        /// This process and those of its children that have ended.
        case processes
    }

    private let clock: Clock
    private let limit: UInt64
    private let begin: UInt64
    private let used: UInt64

    /// The least time, in nanoseconds, and the share of the time of the command.
    private static let least: UInt64 = 3_000_000_000
    private static let share: UInt64 = 20

    /// Begins now.
    ///
    /// - Parameter time: the time of the command, in nanoseconds.
    init(_ clock: Clock, of time: UInt64) { self.init(clock, limit: max(Self.least, time / Self.share)) }

    /// - Parameter limit: the processor time, in nanoseconds.
    init(_ clock: Clock, limit: UInt64) {
        self.clock = clock
        self.limit = limit
        begin = Deadline.now
        used = clock.now
    }

    var isOver: Bool { isOver(1) }

    /// Whether this share of the time is over.
    func isOver(_ share: Double) -> Bool {
        let part = UInt64(Double(limit) * share)
        // The real time, which is at least as long, can be read in a few nanoseconds.
        return Deadline.now &- begin &+ Self.fineness >= part && clock.now - used >= part
    }

    /// The fineness of the clock of deadlines, in nanoseconds.
    private static let fineness: UInt64 = 10_000_000
}

extension ShrinkingTime.Clock {
    /// The processor time until now, in nanoseconds.
    fileprivate var now: UInt64 {
        switch self {
        case .thread:
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        case .processes: return Self.used(by: RUSAGE_SELF.rawValue) + Self.used(by: RUSAGE_CHILDREN.rawValue)
        }
    }

    private static func used(by processes: __rusage_who_t) -> UInt64 {
        var usage = rusage()
        getrusage(processes, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + UInt64($1.tv_sec) * 1_000_000_000 + UInt64($1.tv_usec) * 1000
        }
    }
}
