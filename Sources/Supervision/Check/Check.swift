import Authoring
import Glibc

/// Gathers evidence about many scenarios, several at a time.
package struct Check {
    private let scenarios: [any Runnable]
    private let plan: CheckPlan
    private let jobs: Int

    /// How often somebody who watches is told how it goes, in nanoseconds.
    private static let period = 100_000_000

    /// - Parameter jobs: how many scenarios at a time.
    package init(_ scenarios: [any Runnable], _ plan: CheckPlan, jobs: Int) {
        self.scenarios = scenarios
        self.plan = plan
        self.jobs = jobs
    }

    /// Goes through the scenarios. Must be called while the process has one thread: it forks.
    ///
    /// - Parameters:
    ///   - note: takes what has become of the scenario of this number, and says whether to begin with further ones.
    ///   - progress: is told, from time to time, which scenarios are at work.
    /// - Returns: false if a signal ended it before all was done.
    /// - Throws: `SupervisionFailed`, and what the closures throw.
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
