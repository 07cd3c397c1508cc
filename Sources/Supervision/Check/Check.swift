import Authoring
import Glibc

/// Gathers evidence about many scenarios, several at a time.
package struct Check {
    private let scenarios: [any Runnable]
    private let plan: CheckPlan
    private let jobs: Int

    /// The interval between progress reports, in nanoseconds.
    private static let period = 100_000_000

    /// - Parameter jobs: the number of scenarios to check in parallel.
    package init(_ scenarios: [any Runnable], _ plan: CheckPlan, jobs: Int) {
        self.scenarios = scenarios
        self.plan = plan
        self.jobs = jobs
    }

    /// Checks the scenarios. Must be called while the process has one thread: it forks.
    ///
    /// - Parameters:
    ///   - note: receives the result of the scenario with this number, and returns whether to start further ones.
    ///   - progress: receives, from time to time, the numbers of the running scenarios.
    /// - Returns: false if a signal interrupted the check.
    /// - Throws: `SupervisionFailed`, and the errors of the closures.
    package func run(
        note: (Int, TrialResult) throws -> Bool, progress: ([Int]) throws -> Void
    ) throws -> Bool {
        let signals = BlockedSignals([SIGCHLD, SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        var waiting = Array(scenarios.indices)[...]
        var trials: [Int: Trial] = [:]
        defer { for trial in trials.values { trial.abandon() } }
        var isInterrupted = false
        while !trials.isEmpty || !waiting.isEmpty {
            while trials.count < jobs, let number = waiting.popFirst() {
                trials[number] = try Trial(scenarios[number], plan)
            }
            try progress(trials.keys.sorted())
            if let signal = signals.wait(nanoseconds: Self.period), signal != SIGCHLD {
                isInterrupted = true
                waiting = []
                for trial in trials.values { trial.interrupt() }
            }
            for (number, trial) in trials.sorted(by: { $0.key < $1.key }) {
                guard let ending = trial.finish() else { continue }
                trials[number] = nil
                switch ending {
                case .interrupted:
                    isInterrupted = true
                    waiting = []
                case .done(let result): if try !note(number, result) { waiting = [] }
                }
            }
        }
        return !isInterrupted
    }
}
