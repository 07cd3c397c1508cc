import CLab
import Exploration
import Glibc
import Machine
import Trace

/// A process of a search: the parent's side.
struct SearchProcess {
    let duty: SearchWorker.Duty
    let slot: UnsafeMutablePointer<SearchBoard.Slot>
    let choices: SharedChoices
    private(set) var process: pid_t = 0
    private(set) var mailbox: Mailbox
    /// Whether it said that it has nothing left to do.
    private(set) var isDone = false
    private var lastBeat = Beat(executions: 0, choices: 0)
    private var lastBeatTime: UInt64 = 0

    private struct Beat: Equatable {
        let executions: Int
        let choices: Int
    }

    /// Starts it.
    init(
        _ plan: SearchPlan, _ duty: SearchWorker.Duty, _ board: SearchBoard, slot number: Int, _ choices: SharedChoices,
        _ ends: [FatalEnd], _ signals: BlockedSignals
    ) throws(SupervisionFailed) {
        self.duty = duty
        self.choices = choices
        slot = board.slot(number)
        slot.pointee = SearchBoard.Slot()
        choices.log.reset()
        mailbox = try Mailbox()
        fflush(nil)
        let parent = getpid()
        process = clab_fork()
        if process == 0 {
            ChildProcess.prepare(parent: parent)
            signals.restore()
            SearchWorker(
                plan: plan, duty: duty, board: board, slot: slot, choices: choices, mailbox: mailbox, ends: ends
            ).runAndExit()
        }
        mailbox.closeWriter()
        guard process > 0 else {
            throw SupervisionFailed("no process for the search: \(String(cString: strerror(errno)))")
        }
        lastBeatTime = RecordingClock.nanoseconds()
    }

    /// Takes what it has sent.
    ///
    /// - Returns: false if it is gone.
    mutating func receive(_ report: (Int, UnitReport) -> Void) -> Bool {
        var isDone = false
        let isThere = mailbox.receive { words in
            switch SearchWorker.Message(rawValue: words.word())! {
            case .report: report(words.word(), UnitReport(from: &words))
            case .done: isDone = true
            }
        }
        if isDone { self.isDone = true }
        return isThere
    }

    /// Whether it has been at one and the same step for so long.
    mutating func isStuck(for time: UInt64) -> Bool {
        let beat = Beat(executions: slot.pointee.counts.executions, choices: choices.log.count)
        let now = RecordingClock.nanoseconds()
        if beat != lastBeat {
            lastBeat = beat
            lastBeatTime = now
        }
        return now - lastBeatTime > time
    }

    /// Ends it if it is still there, and takes leave of it.
    ///
    /// - Returns: its status, as `waitpid` gives it.
    @discardableResult
    func end() -> Int32 {
        kill(process, SIGKILL)
        return reap()
    }

    /// Waits for its end.
    func reap() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        mailbox.closeReader()
        return status
    }
}
