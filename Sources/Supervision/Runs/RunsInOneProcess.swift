import Execution
import Glibc

/// Runs under the scheduler that share a process: to start one takes longer than most runs.
extension Supervisor {
    /// Runs plans in one process, one after the other, up to the first that ends it or has to be ended.
    ///
    /// - Parameter plans: of one scenario, controlled by seeds, and silent.
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
        // It has nothing left to do.
        defer { process.end() }
        var runs: [SupervisedRun] = []
        for index in supervisors.indices {
            let ending = process.awaitEnd(of: supervisors[index])
            runs.append(try supervisors[index].judge(ending ?? .exited(0)))
            if ending != nil { break }
        }
        return runs
    }
}

/// A process that has several runs.
private struct SharedProcess {
    private let process: pid_t
    private let signals: BlockedSignals
    private var clock: OwnClock
    private var ending: ProcessEnding?

    init(_ process: pid_t, _ signals: BlockedSignals, _ clock: OwnClock) {
        self.process = process
        self.signals = signals
        self.clock = clock
    }

    /// Waits for the end of its next run.
    ///
    /// - Returns: how the run ended the process, or why the process was ended. Nil: the run has ended by itself.
    mutating func awaitEnd(of run: Supervisor) -> ProcessEnding? {
        let start = clock.time
        while true {
            // It may have ended in a later run.
            if run.choices.hasEnded { return nil }
            if let ending { return ending }
            let signal = signals.wait(nanoseconds: Supervisor.period)
            ending = ProcessEnding(of: process)
            if ending != nil { continue }
            clock.read(process: process)
            if let signal, signal != SIGCHLD {
                ending = ProcessEnding.stop(process, .interrupted(signal))
            } else if run.plan.clock?() ?? (clock.time - start) > run.plan.timeout {
                ending = ProcessEnding.stop(process, .timeout)
            }
        }
    }

    mutating func end() {
        if ending == nil { ending = ProcessEnding.stop(process, .exited(0)) }
    }
}
