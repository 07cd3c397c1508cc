import Execution
import Glibc
import Machine
import Trace

/// A forked process that runs executions of a scenario, and tells its parent what came of them.
struct WatchedProcess {
    let choices: SharedChoices
    private(set) var process: pid_t = 0
    private(set) var mailbox: Mailbox
    /// Whether it did all that it was to do.
    private(set) var isDone = false
    private var lastPulse: ChoiceMemory.Pulse?
    private var lastLook: UInt64 = 0
    /// For how long it has been at one and the same step, in nanoseconds; and what processor time it had used before.
    private var standstill: UInt64 = 0
    private var timeBefore: UInt64 = 0

    /// Between two looks no more than this counts: this process may itself have been stopped for a while.
    private static let longestLook: UInt64 = 100_000_000
    /// A program that computes nothing at all is given so many times as long: it may be the machine that is busy.
    private static let patience: UInt64 = 10

    /// Starts it.
    ///
    /// - Parameters:
    ///   - choices: where it logs the choices of its executions.
    ///   - work: what it is to do, and whom to tell. Messages must not be empty.
    init(
        _ choices: SharedChoices, _ signals: BlockedSignals, work: (Mailbox) -> Void
    ) throws(SupervisionFailed) {
        self.choices = choices
        choices.log.reset()
        let mailbox = try Mailbox()
        self.mailbox = mailbox
        defer { mailbox.closeWriter() }
        do throws(SupervisionFailed) {
            process = try ChildProcess.fork(for: "the search") {
                ChildProcess.prepare()
                ChildProcess.silence()
                signals.unblock()
                work(mailbox)
                mailbox.send(WordWriter())
                _exit(0)
            }
        } catch {
            mailbox.closeReader()
            throw error
        }
    }

    /// Waits for news of processes, for a while.
    ///
    /// - Parameter milliseconds: for how long, if nothing comes.
    /// - Returns: of which of them there is something to receive. Nil stands for a process that is gone.
    static func awaitNews(of processes: [WatchedProcess?], milliseconds: Int32 = 20) -> [Bool] {
        var polls = processes.map { $0?.mailbox.poll ?? pollfd(fd: -1, events: 0, revents: 0) }
        poll(&polls, nfds_t(polls.count), milliseconds)
        return zip(polls, processes).map { poll, process in poll.revents != 0 || process?.hasExited ?? false }
    }

    /// Takes what it has sent.
    ///
    /// - Returns: false if it is gone.
    mutating func receive(
        _ take: (inout WordReader) throws(DamagedMessage) -> Void
    ) throws(DamagedMessage) -> Bool {
        // Asked before the pipe is: what it sent before its end is in the pipe by then.
        let isGone = hasExited
        repeat {
            if isGone && !mailbox.hasNews { return false }
            if !(try receiveOnce(take)) { return false }
        } while isGone
        return true
    }

    private mutating func receiveOnce(
        _ take: (inout WordReader) throws(DamagedMessage) -> Void
    ) throws(DamagedMessage) -> Bool {
        var isDone = false
        defer { if isDone { self.isDone = true } }
        return try mailbox.receive { message throws(DamagedMessage) in
            if message.isEmpty { isDone = true } else { try take(&message) }
        }
    }

    /// Whether it has ended; it is still to be reaped. Its end of the pipe may be open: processes that it forked have it too.
    private var hasExited: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }

    /// Whether it has computed for so long, in nanoseconds, at one and the same step, as far as one has looked.
    mutating func isStuck(for time: UInt64) -> Bool {
        let pulse = choices.log.pulse
        let now = RecordingClock.nanoseconds()
        if pulse == lastPulse {
            standstill += min(now - lastLook, Self.longestLook)
        } else {
            standstill = 0
            timeBefore = processorTime
        }
        lastPulse = pulse
        lastLook = now
        guard standstill > time else { return false }
        return processorTime > timeBefore + time || standstill > Self.patience * time
    }

    /// What it has used, in nanoseconds.
    private var processorTime: UInt64 {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Ends it if it is still there, and waits for its end.
    ///
    /// - Returns: its status, as `waitpid` gives it.
    @discardableResult
    func end() -> Int32 {
        kill(process, SIGKILL)
        return reap()
    }

    /// Waits for its end.
    @discardableResult
    func reap() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        mailbox.closeReader()
        return status
    }
}
