import Authoring
import Diagnosis
import Trace

/// Runs a scenario on real threads several times, each time in a separate process.
struct NativeTrials {
    let scenario: any Runnable
    let plan: CheckPlan

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Returns: nil if a signal interrupted it.
    func gather() throws -> Evidence? {
        let limit = plan.share
        let deadline = RecordingClock.nanoseconds() + limit
        var evidence = Evidence(.native, runs: 0, .part(.runs))
        while evidence.runs < plan.nativeRuns {
            let now = RecordingClock.nanoseconds()
            // A run that is cut off has therefore had at least half of the time.
            guard now + limit / 2 <= deadline else {
                evidence.extent = .part(.time)
                break
            }
            let trace = try Supervisor.run(RunPlan(scenario, .native, timeout: deadline - now)).trace
            guard let outcome = trace.outcome, trace.events.last?.kind != .runInterrupted else { return nil }
            evidence.add(outcome, states: scenario.seenStates(in: trace))
        }
        return evidence
    }
}

extension Evidence {
    /// Adds one run on real threads.
    mutating func add(_ outcome: Outcome, states: Set<Int>) {
        runs += 1
        seenStates.formUnion(states)
        if let known = sightings.firstIndex(where: { $0.outcome.kind == outcome.kind }) {
            sightings[known].count += 1
        } else {
            add(Sighting(count: 1, outcome: outcome))
        }
    }
}

extension Runnable {
    /// The sought states that a run ended in.
    fileprivate func seenStates(in trace: TraceDocument) -> Set<Int> {
        let texts = trace.events.lazy.filter { $0.kind == .stateSeen }.compactMap { trace.text(of: $0) }
        return Set(texts.compactMap { soughtStates.firstIndex(of: $0) })
    }
}
