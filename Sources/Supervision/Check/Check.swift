import Authoring
import Diagnosis
import Glibc
import Machine

/// Gathers evidence about many scenarios, several at a time.
package struct Check {
    private let scenarios: [any Runnable]
    private let plan: CheckPlan
    private let jobs: Int
    private let proofs: [Int: Evidence]
    private let sharers: [Int: Int]

    /// The interval between progress reports, in nanoseconds.
    private static let period = 100_000_000
    /// The time that trials have to end by themselves when the check is interrupted, in nanoseconds.
    private static let grace: UInt64 = 1_000_000_000

    /// - Parameters:
    ///   - jobs: the number of scenarios to check in parallel.
    ///   - proofs: the evidence of earlier searches, by the number of the scenario. These searches are not repeated.
    ///   - sharers: by the number of a scenario: how many scenarios, including this one, share the time limit of one.
    ///     For example, the versions of a submission for several memory models share it. Without an entry: 1.
    package init(
        _ scenarios: [any Runnable], _ plan: CheckPlan, jobs: Int, proofs: [Int: Evidence] = [:],
        sharers: [Int: Int] = [:]
    ) {
        self.sharers = sharers
        self.scenarios = scenarios
        self.plan = plan
        self.jobs = jobs
        self.proofs = proofs
    }

    /// Checks the scenarios. Must be called while the process has one thread: it forks.
    ///
    /// - Parameters:
    ///   - note: receives the result of the scenario with this number, and returns whether to start further ones.
    ///   - progress: receives the numbers of the running scenarios, at intervals.
    /// - Returns: the signal that interrupted the check, or nil.
    /// - Throws: `SupervisionFailed`, and the errors of the closures.
    package func run(
        note: (Int, TrialResult) throws -> Bool, progress: ([Int]) throws -> Void
    ) throws -> Int32? {
        let signals = BlockedSignals([SIGCHLD, SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        var waiting = Array(scenarios.indices)[...]
        var trials: [Int: Trial] = [:]
        let budget = TimeBudget(total: plan.totalTime, most: plan.time, jobs: jobs)
        /// The scenarios that ran out of time, and had less time than a scenario may take.
        var unproved: [(number: Int, result: TrialResult)] = []
        /// By number of a scenario: the time of its last trial, in nanoseconds. Nil: it has had none.
        var time: [Int: UInt64] = [:]
        defer { for trial in trials.values { trial.abandon() } }
        var interruption: Int32?
        var end: Deadline?
        while !trials.isEmpty || !waiting.isEmpty || !unproved.isEmpty {
            if trials.isEmpty, waiting.isEmpty {
                let all = unproved
                unproved = []
                for (number, result) in all {
                    if interruption == nil, budget.isWorthRepeating(time[number] ?? 0, waiting: all.count) {
                        waiting.append(number)
                    } else if try !note(number, result) {
                        waiting = []
                        break
                    }
                }
            }
            while trials.count < jobs, let number = waiting.popFirst() {
                if let proof = proofs[number], plan.nativeRuns == 0 {
                    if try !note(number, TrialResult(evidence: [proof], duration: 0)) { waiting = [] }
                } else if budget.isOver() && time[number] == nil {
                    // A second trial is begun even now: its share has been found to be worth it.
                    if try !note(number, .withoutTime) { waiting = [] }
                } else {
                    var trialPlan = plan
                    trialPlan.time = budget.share(of: waiting.count + 1, isFirst: time[number] == nil)
                    trialPlan.time /= UInt64(sharers[number] ?? 1)
                    time[number] = trialPlan.time
                    trials[number] = try Trial(scenarios[number], trialPlan, proof: proofs[number])
                }
            }
            try progress(trials.keys.sorted())
            let pause = trials.isEmpty ? 0 : Self.period
            if let signal = signals.wait(nanoseconds: pause), signal != SIGCHLD {
                interruption = interruption ?? signal
                end = end ?? Deadline(after: Self.grace)
                waiting = []
                for trial in trials.values { trial.interrupt() }
            }
            if let end, end.isOver { return interruption }
            for (number, trial) in trials.sorted(by: { $0.key < $1.key }) {
                guard let ending = trial.finish() else { continue }
                trials[number] = nil
                switch ending {
                case .interrupted(let signal):
                    interruption = interruption ?? signal
                    waiting = []
                case .done(var result):
                    let had = time[number] ?? plan.time
                    if budget.isLimited, had < plan.time, result.ranOutOfTime {
                        result.allotted = had
                        unproved.append((number, result))
                    } else if try !note(number, result) {
                        waiting = []
                        unproved = []
                    }
                }
            }
        }
        return interruption
    }
}

/// How much evidence to gather for each scenario.
package struct CheckPlan: Sendable {
    /// The maximum number of executions of a search under the scheduler. 0: no search.
    package var executions: Int
    /// The number of runs on real threads.
    package var nativeRuns: Int
    /// The seed of the search's random strategies.
    package var seed: UInt64
    /// The time limit for all executions and runs of one scenario, in nanoseconds of real time.
    package var time: UInt64
    /// The time limit for all scenarios together, in nanoseconds of real time. Nil: there is none.
    package var totalTime: UInt64?
    /// Whether to keep traces of runs: see `TrialResult.traces`.
    package var keepsTraces = false
    /// Whether the search continues until it is a proof, even if it finds nothing new for a long time.
    package var needsProof = false
    /// The maximum memory of a search by states, in bytes. Nil: most of the memory of the process.
    package var memory: Int?
    /// The maximum memory of the process that searches, in bytes. A process that exceeds it is ended.
    package var processMemory = UsualMemory.process
    /// The maximum number of steps of an execution. Nil: the default, and more if no execution ends within it.
    package var steps: Int?
    /// The maximum number of spurious wake-ups of an execution. Nil: at first none, then one.
    package var spurious: Int?
    /// Whether the user chose a memory model. If so, a weaker one is not searched too.
    package var isModelGiven = false

    package init(executions: Int, nativeRuns: Int, seed: UInt64, time: UInt64) {
        self.executions = executions
        self.nativeRuns = nativeRuns
        self.seed = seed
        self.time = time
    }

    /// For a scenario that the scheduler cannot run: native runs are then the only evidence.
    mutating func runOnlyOnRealThreads() {
        executions = 0
        nativeRuns = max(nativeRuns, Self.fewestNativeRuns)
    }

    mutating func runOnlyUnderScheduler() { nativeRuns = 0 }

    private static let fewestNativeRuns = 3

    /// The part of the time for each requested runtime.
    var share: UInt64 { executions > 0 && nativeRuns > 0 ? time / 2 : time }
}
