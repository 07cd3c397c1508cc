import Execution
import Glibc

/// Controlled runs that share a process, because starting one takes longer than most runs.
extension Supervisor {
    /// Runs the plans one after the other in one process, up to the first run that ends the process or has to be ended.
    ///
    /// - Parameter plans: silent plans of one scenario that are controlled by seeds.
    /// - Returns: the runs that were begun.
    static func finish(_ plans: [RunPlan]) throws(SupervisionFailed) -> [SupervisedRun] {
        guard let first = plans.first else { return [] }
        var supervisors: [Supervisor] = []
        for plan in plans { supervisors.append(try Supervisor(plan)) }
        first.scenario.prepareRecording()
        let signals = BlockedSignals(Self.signals)
        defer { signals.restore() }
        let children = supervisors.map(\.childRun)
        let child = try ForkedProcess.fork(for: "random runs") {
            ForkedProcess.prepare()
            ForkedProcess.silence()
            signals.unblock()
            let fibers = SpareFibers()
            for child in children { child.run(fibers) }
            _exit(0)
        }
        var process = SharedProcess(child, signals, first.ownClock)
        // The process has nothing left to do.
        defer { process.end() }
        var runs: [SupervisedRun] = []
        for index in supervisors.indices {
            guard var ending = process.awaitEnd(of: supervisors[index]) else { break }
            // If a signal arrived when all runs had ended, the last run counts as interrupted.
            if let signal = process.interruption, index == supervisors.count - 1 { ending = .interrupted(signal) }
            runs.append(try supervisors[index].judge(ending))
        }
        return runs
    }
}

/// A process that executes several runs.
private struct SharedProcess {
    private let process: pid_t
    private let signals: BlockedSignals
    private var clock: OwnClock
    private var isGone = false
    /// How the process ended. Nil: it has not ended, or this has been returned as the end of a run.
    private var ending: ProcessEnding?
    /// A signal that has arrived and has not been reported as the end of a run yet.
    private(set) var interruption: Int32?

    init(_ process: pid_t, _ signals: BlockedSignals, _ clock: OwnClock) {
        self.process = process
        self.signals = signals
        self.clock = clock
    }

    /// Waits for the end of the next run in the process.
    ///
    /// - Returns: how the run ended: by itself (`.exited(0)`), with the process, or because the process was ended. Nil:
    ///   it was not begun.
    mutating func awaitEnd(of run: Supervisor) -> ProcessEnding? {
        // The time of earlier runs does not count.
        if !isGone { clock.read(process: process) }
        let start = clock.time
        while true {
            // Asked before `isGone`: the process may have ended in a later run.
            if run.choices.hasEnded { return .exited(0) }
            if isGone {
                defer { ending = nil }
                return ending
            }
            if let signal = interruption {
                interruption = nil
                isGone = true
                return ProcessEnding.stop(process, .interrupted(signal))
            }
            let signal = signals.wait(nanoseconds: Supervisor.period)
            if let ending = ProcessEnding(of: process) {
                self.ending = ending
                isGone = true
            } else if let signal, signal != SIGCHLD {
                interruption = signal
            } else {
                clock.read(process: process)
                let time = run.plan.clock?() ?? (clock.time - start)
                let isOver = time > run.plan.timeout || run.plan.end?.isOver ?? false
                guard isOver, !run.choices.hasEnded else { continue }
                isGone = true
                let ending = ProcessEnding.stop(process, .timeout)
                return run.choices.hasEnded ? .exited(0) : ending
            }
        }
    }

    mutating func end() {
        if !isGone { _ = ProcessEnding.stop(process, .exited(0)) }
        isGone = true
    }
}
