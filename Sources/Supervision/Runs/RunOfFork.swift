import Execution
import Glibc

/// Repeats a run in a process of its own, and asks the program what it knows of it beside its events. The process may
/// crash or hang, as the run may that is repeated.
package enum RunOfFork {
    /// - Parameters:
    ///   - stepTime: the limit for computing between two steps, in nanoseconds of processor time.
    ///   - ask: called in the process after the run, unless that has ended the process.
    package static func run(
        _ plan: RunPlan, stepTime: UInt64, _ ask: (SupervisedRun) -> Void
    ) throws(SupervisionFailed) {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        let choices = try SharedChoices(capacity: plan.rules.maximumSteps)
        var process = try WatchedProcess(for: "the repetition of a run", choices, signals) { _ in
            // The two judges of a run have been compared where it was shown.
            if let run = try? DirectRun(plan, log: choices.log).finish() { ask(run) }
        }
        while !WatchedProcess.awaitNews(of: [process])[0] {
            if process.isStuck(for: stepTime) {
                process.end()
                return
            }
        }
        process.reap()
    }
}
