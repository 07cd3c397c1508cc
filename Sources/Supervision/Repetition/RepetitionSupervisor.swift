import Exploration
import Glibc
import Trace

/// Makes many controlled runs of a scenario in a few processes, which may crash, hang or be killed.
///
/// Each run is the same as in a process of its own, so the result does not depend on the number of processes. Must be
/// called while the process has one thread: it forks.
package struct RepetitionSupervisor {
    /// A process, its current run, and when that run began.
    private struct Worker {
        var process: WatchedProcess
        /// The number of the run. Nil: none was in progress when the process was last observed.
        var run: Int?
        /// The time that the process had computed or slept when this run was first observed, in nanoseconds.
        var begin: UInt64 = 0
        /// Whether the process first checks that runs in one process are independent of each other.
        let checksRepetition: Bool
    }

    private let plan: RepetitionPlan
    private let board: RepetitionBoard
    private let signals: BlockedSignals
    private let choices: SharedChoices
    private var workers: [Worker?] = []
    /// The outcomes of runs that ended their process.
    private var fatal = OutcomeTally()
    private var result = RepetitionResult()

    /// The time that a process has to stop by itself, in nanoseconds in which it computes or sleeps.
    private static let grace: UInt64 = 200_000_000

    /// - Parameter watch: called with the tally at intervals.
    package static func run(
        _ plan: RepetitionPlan, watch: (OutcomeTally) -> Void = { _ in }
    ) throws(SupervisionFailed) -> RepetitionResult {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        var supervisor = try RepetitionSupervisor(plan, signals)
        do throws(SupervisionFailed) {
            try supervisor.run(watch)
        } catch {
            supervisor.endProcesses()
            throw error
        }
        return supervisor.result
    }

    private init(_ plan: RepetitionPlan, _ signals: BlockedSignals) throws(SupervisionFailed) {
        self.plan = plan
        self.signals = signals
        board = try RepetitionBoard(slots: plan.jobs, count: plan.count)
        // The choices need not be logged: the seed determines them.
        choices = try SharedChoices(capacity: 0)
    }

    private mutating func run(_ watch: (OutcomeTally) -> Void) throws(SupervisionFailed) {
        for slot in 0..<plan.jobs {
            workers.append(try start(slot, checksRepetition: slot == 0 && plan.scenario.runsOwnCode))
        }
        while workers.contains(where: { $0 != nil }) && !isOver {
            try look()
            watch(tally)
            if let signal = signals.wait(nanoseconds: 0) { result.signal = signal }
        }
        if isOver { try windUp() }
        endProcesses()
        result.tally = result.isUnrepeatable ? OutcomeTally() : tally
    }

    private var isOver: Bool { result.signal != nil || result.isUnrepeatable }

    private var tally: OutcomeTally {
        var sum = fatal
        for slot in 0..<plan.jobs { sum.add(board.slot(slot).tally) }
        return sum
    }

    private func start(
        _ slot: Int, checksRepetition: Bool = false, rest: Range<Int> = 0..<0
    ) throws(SupervisionFailed) -> Worker {
        board.slot(slot).idle()
        let process = try WatchedProcess(for: "the runs", choices, signals) { mailbox in
            RepetitionWorker(
                plan: plan, board: board, slot: board.slot(slot), mailbox: mailbox,
                checksRepetition: checksRepetition, rest: rest
            ).run()
        }
        return Worker(process: process, checksRepetition: checksRepetition)
    }

    // MARK: - While it runs

    private mutating func look() throws(SupervisionFailed) {
        let haveNews = WatchedProcess.awaitNews(of: workers.map { $0?.process })
        for (slot, hasNews) in haveNews.enumerated() where workers[slot] != nil && !isOver {
            if hasNews {
                try receive(from: slot)
            } else if isTooLong(slot) {
                let run = board.slot(slot).run
                workers[slot]!.process.end()
                if let run { fatal.add(.timeout, first: run.number) }
                try replace(slot, after: run?.rest)
            }
        }
    }

    /// Whether the run in progress has reached its time limit.
    private mutating func isTooLong(_ slot: Int) -> Bool {
        let run = board.slot(slot).run?.number
        let time = workers[slot]!.process.ownTime()
        guard run == workers[slot]!.run else {
            workers[slot]!.run = run
            workers[slot]!.begin = time
            return false
        }
        return time - workers[slot]!.begin > plan.timeout
    }

    private mutating func receive(from slot: Int) throws(SupervisionFailed) {
        var isUnrepeatable = false
        let isThere: Bool
        do throws(DamagedMessage) {
            isThere = try workers[slot]!.process.receive { words throws(DamagedMessage) in
                _ = try Discrepancy(from: &words)
                isUnrepeatable = true
            }
        } catch {
            workers[slot]!.process.end()
            workers[slot] = nil
            throw SupervisionFailed(DamagedMessage.explanation)
        }
        if isUnrepeatable { result.isUnrepeatable = true }
        if isThere { return }
        workers[slot]!.process.reap()
        if workers[slot]!.process.isDone || isOver {
            workers[slot] = nil
            return
        }
        let run = board.slot(slot).run
        if let run {
            try repeatAlone(run.number)
        } else if !workers[slot]!.checksRepetition {
            // A process that checks may also die before its first run. The process that replaces it does not check.
            throw SupervisionFailed("a process for the runs died between two of them")
        }
        try replace(slot, after: run?.rest)
    }

    /// The process is gone. Another one takes over the rest of its portion.
    private mutating func replace(_ slot: Int, after rest: Range<Int>?) throws(SupervisionFailed) {
        workers[slot] = nil
        if !isOver { workers[slot] = try start(slot, rest: rest ?? 0..<0) }
    }

    /// Repeats a run that has ended the process, now in a process of its own. This shows the outcome.
    private mutating func repeatAlone(_ number: Int) throws(SupervisionFailed) {
        var run = plan.run(number)
        run.isSilent = true
        let trace = try Supervisor.finish(run).trace
        if let signal = trace.interruption {
            result.signal = signal
        } else if let kind = trace.outcome?.kind {
            fatal.add(kind, first: number)
        }
    }

    // MARK: - The end

    /// Lets each process complete its current run, if that does not take long.
    private mutating func windUp() throws(SupervisionFailed) {
        board.stop()
        let ends = workers.indices.map { (workers[$0]?.process.ownTime() ?? 0) + Self.grace }
        while workers.contains(where: { $0 != nil }) {
            let haveNews = WatchedProcess.awaitNews(of: workers.map { $0?.process })
            for (slot, hasNews) in haveNews.enumerated() where workers[slot] != nil {
                if hasNews {
                    try receive(from: slot)
                } else if workers[slot]!.process.ownTime() > ends[slot] {
                    workers[slot]!.process.end()
                    workers[slot] = nil
                }
            }
        }
    }

    private mutating func endProcesses() {
        for worker in workers { worker?.process.end() }
        workers = []
    }
}

extension OutcomeTally {
    fileprivate mutating func add(_ other: OutcomeTally) {
        for kind in other.kinds { add(kind, count: other[kind]!.count, first: other[kind]!.first) }
    }
}
