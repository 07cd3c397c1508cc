import Glibc
import Trace

/// How a child process ended, or was terminated.
enum ProcessEnding {
    case exited(Int32)
    case died(Int32)
    /// Its threads cannot continue, so it was terminated.
    case deadlock
    case timeout
    /// It has recorded this number of events, and more.
    case stepLimit(Int)
    case interrupted(Int32)

    /// Nil if the process is still running.
    init?(of child: pid_t) {
        var status: Int32 = 0
        guard waitpid(child, &status, WNOHANG) == child else { return nil }
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .died(signal)
    }

    /// Ends the process.
    ///
    /// - Returns: the reason, for the caller to pass on.
    static func stop(_ child: pid_t, _ reason: ProcessEnding) -> ProcessEnding {
        kill(child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return reason
    }

    /// The event that records the ending. Nil if the run has recorded it itself.
    ///
    /// - Parameters:
    ///   - limit: the time limit of the process, in nanoseconds.
    ///   - hasEnded: whether the run was over when the process ended.
    func event(limit: UInt64, hasEnded: Bool) -> (kind: EventKind, value: Int64)? {
        switch self {
        case .deadlock: nil
        case .exited(0) where hasEnded: nil
        case .exited(let status): (.runQuit, Int64(status))
        case .died(SIGKILL): (.runKilled, Int64(SIGKILL))
        case .died(let signal): (.runCrash, Int64(signal))
        case .timeout: (.runTimeout, Int64(limit))
        case .stepLimit(let count): (.runStepLimit, Int64(count))
        case .interrupted(let signal): (.runInterrupted, Int64(signal))
        }
    }
}
