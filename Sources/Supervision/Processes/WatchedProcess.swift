import Execution
import Glibc
import Machine
import Trace

/// A forked process that runs executions of a scenario and reports the results to its parent, which notices if the
/// process has ended or takes no more steps.
struct WatchedProcess {
    let choices: SharedChoices
    private(set) var process: pid_t = 0
    private(set) var mailbox: Mailbox
    /// Whether the process has reported that its work is done.
    private(set) var isDone = false
    private var standstill = Standstill<ChoiceMemory.Pulse>()
    private var clock = OwnClock()

    /// The factor by which the limit grows for a process that sleeps, because it may wait for something slow.
    private static let patience: UInt64 = 10

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - purpose: what the process is for, for error messages.
    ///   - choices: the log for the choices of its executions.
    ///   - signals: the signals that the parent blocks. They are unblocked in the process.
    ///   - work: the work, which receives the mailbox for its messages. Messages must not be empty.
    init(
        for purpose: String = "the search", _ choices: SharedChoices, _ signals: BlockedSignals,
        work: (Mailbox) -> Void
    ) throws(SupervisionFailed) {
        self.choices = choices
        choices.log.reset()
        let mailbox = try Mailbox()
        self.mailbox = mailbox
        defer { mailbox.closeWriter() }
        do throws(SupervisionFailed) {
            process = try ForkedProcess.fork(for: purpose) {
                ForkedProcess.prepare()
                ForkedProcess.silence()
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

    /// Waits until one of the processes sends something or ends.
    ///
    /// - Parameters:
    ///   - processes: the processes. Nil stands for one that is gone.
    ///   - milliseconds: the maximum time to wait.
    /// - Returns: by process, whether it has sent something or has ended.
    static func awaitNews(of processes: [WatchedProcess?], milliseconds: Int32 = 20) -> [Bool] {
        var polls = processes.map { $0?.mailbox.poll ?? pollfd(fd: -1, events: 0, revents: 0) }
        poll(&polls, nfds_t(polls.count), milliseconds)
        return zip(polls, processes).map { result, process in result.revents != 0 || process?.hasExited ?? false }
    }

    /// Receives the messages of the process.
    ///
    /// - Returns: false if the process is gone.
    mutating func receive(
        _ take: (inout WordReader) throws(DamagedMessage) -> Void
    ) throws(DamagedMessage) -> Bool {
        // Asked before the pipe is read: if the process has ended, all that it sent is in the pipe.
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

    /// Whether the process has ended, even if it has not been waited for. Processes that it forked may keep the pipe
    /// open.
    private var hasExited: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }

    /// Whether the process has been at the same step, as far as observed, while it computed for this time in
    /// nanoseconds or slept for ten times as long. Waiting for a processor does not count.
    mutating func isStuck(for time: UInt64) -> Bool {
        clock.read(process: process)
        if choices.log.isOver {
            standstill = Standstill()
            return false
        }
        standstill.look(choices.log.pulse, at: clock.computed + clock.slept / Self.patience)
        return standstill.time > time
    }

    /// The time for which the process has computed or slept, in nanoseconds.
    mutating func ownTime() -> UInt64 {
        clock.read(process: process)
        return clock.time
    }

    /// The resident memory of the process, including shared memory, in bytes. 0: the process is gone.
    var residentBytes: Int {
        let words = SystemText.read("/proc/\(process)/statm", limit: 1024).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// Kills the process if it is still running, and waits for its end.
    ///
    /// - Returns: the status according to `waitpid`.
    @discardableResult
    func end() -> Int32 {
        kill(process, SIGKILL)
        return reap()
    }

    /// Waits for the end of the process.
    @discardableResult
    func reap() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        mailbox.closeReader()
        return status
    }
}
