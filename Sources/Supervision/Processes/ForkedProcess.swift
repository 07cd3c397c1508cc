import CLab
import Glibc
import Trace

/// Forking a process, and preparing it for a run.
enum ForkedProcess {
    /// Forks a child process. Must be called while the process has one thread.
    ///
    /// - Parameters:
    ///   - purpose: what the process is for, for error messages.
    ///   - work: the work of the child, which is killed when its parent ends.
    static func fork(for purpose: String, _ work: () -> Never) throws(SupervisionFailed) -> pid_t {
        fflush(nil)
        let parent = getpid()
        let child = clab_fork()
        if child == 0 {
            clab_die_with_parent()
            // The parent may have died before the call took effect.
            if getppid() != parent { _exit(0) }
            work()
        }
        guard child > 0 else {
            throw SupervisionFailed("cannot start a process for \(purpose): \(String(cString: strerror(errno)))")
        }
        return child
    }

    /// Prepares a child process that runs the scenario.
    static func prepare() {
        // An interruption is handled by the parent: it ends this process, and reports what happened.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        // threadlab ignores this signal for its own files. The scenario gets the default.
        signal(SIGXFSZ, SIG_DFL)
        if getenv("SWIFT_BACKTRACE") == nil { dropBacktraces() }
        // Standard output is reserved for the report, which may be JSON. Output of the scenario goes to standard error.
        dup2(STDERR_FILENO, STDOUT_FILENO)
        clab_buffer_lines()
    }

    /// Drops what this process prints. A search would print the scenario's output for each execution; the run that is
    /// shown prints it once.
    static func silence() {
        let nowhere = open("/dev/null", O_WRONLY)
        guard nowhere >= 0 else { return }
        dup2(nowhere, STDOUT_FILENO)
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
    }

    /// Disables Swift's backtracer, which would stop the process for an unknown time. A crash is reported from the
    /// events.
    private static func dropBacktraces() {
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
    }
}

/// How a child process ended, or was terminated.
enum ProcessEnding {
    /// It exited with this code.
    case exited(Int32)
    /// This signal ended it.
    case died(Int32)
    /// Its threads could not continue, so it was terminated.
    case deadlock
    /// It was terminated because its time was over.
    case timeout
    /// It was terminated because it had recorded more than this number of events.
    case stepLimit(Int)
    /// It was terminated because this signal interrupted threadlab.
    case interrupted(Int32)

    /// Nil if the process is still running.
    init?(of child: pid_t) {
        var status: Int32 = 0
        guard waitpid(child, &status, WNOHANG) == child else { return nil }
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .died(signal)
    }

    /// Kills the process, and waits for its end.
    ///
    /// - Returns: `reason`, for callers that report how the process ended.
    static func stop(_ child: pid_t, _ reason: ProcessEnding) -> ProcessEnding {
        kill(child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return reason
    }

    /// The event that records the ending. Nil: the events of the run already show it.
    ///
    /// - Parameters:
    ///   - limit: the time limit of the process, in nanoseconds.
    ///   - hasEnded: whether the run had ended by itself before the process did.
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

/// A pipe for what a child process prints. The parent reads it between its other work.
final class OutputPipe {
    private let readEnd: Int32
    private let writeEnd: Int32

    /// The maximum number of bytes that are read at once, because the parent has other work.
    private static let most = 1 << 16

    init() throws(SupervisionFailed) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw SupervisionFailed("cannot make a pipe for the run: \(String(cString: strerror(errno)))")
        }
        readEnd = ends[0]
        writeEnd = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Connects standard error to the pipe, in the child.
    func connect() { dup2(writeEnd, STDERR_FILENO) }

    /// What was printed since the last time, or a first part of it. Nil: nothing.
    func read() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.most) { buffer, count in
            count = max(0, Glibc.read(readEnd, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : bytes
    }
}

/// The processors of this machine.
package enum Processors {
    /// The number of processors, and so the default number of processes of a search, a check or a repetition.
    package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The processor's name according to the kernel. Nil: unknown.
    package static var model: String? {
        guard let file = fopen("/proc/cpuinfo", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = line.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "\n")) }.map { UInt8(bitPattern: $0) }
            let parts = String(decoding: text, as: UTF8.self).split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].hasPrefix("model name") { return String(parts[1].drop { $0 == " " }) }
        }
        return nil
    }
}
