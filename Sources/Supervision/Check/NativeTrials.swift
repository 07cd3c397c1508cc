import Scenarios
import Trace

/// Runs a scenario on real threads several times, each time in a process of its own.
struct NativeTrials {
    let scenario: any Runnable
    let plan: CheckPlan
    let memory: EvidenceMemory

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Returns: false if a signal interrupted it.
    func gather() throws -> Bool {
        let limit = plan.share
        let deadline = RecordingClock.nanoseconds() + limit
        while memory.runs < plan.nativeRuns {
            let now = RecordingClock.nanoseconds()
            // So a run that is given up had half of the time at least.
            guard now + limit / 2 <= deadline else { return true }
            memory.begin(seed: nil)
            let trace = try Supervisor.run(RunPlan(scenario, .native, timeout: deadline - now)).trace
            guard let outcome = trace.outcome, trace.events.last?.kind != .runInterrupted else { return false }
            memory.end(outcome, trace)
        }
        return true
    }
}
