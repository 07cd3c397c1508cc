import Authoring
import Diagnosis
import Glibc
import Trace

/// Runs a scenario on real threads several times, each time in a separate process.
struct NativeTrials {
    let scenario: any Runnable
    let plan: CheckPlan
    /// Called before and after the scenario reviews what a run left.
    var reviews: @Sendable (_ isOver: Bool) -> Void = { _ in }

    /// The time for a program that continues forever, in nanoseconds. It is run once and not for long, because it would
    /// only repeat itself.
    private static let endlessTrial: UInt64 = 200_000_000
    /// A run that reached its time limit only counts if it had at least this time, in nanoseconds.
    private static let shortestTrial: UInt64 = 1_000_000_000
    /// A program that records more events than this is assumed to spin until its time is over. It is stopped, because
    /// recording, reading and judging its events would take much longer than its time limit.
    private static let mostEvents = 2_000_000

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Throws: `SupervisionFailed` or `Interrupted`.
    func gather() throws -> GatheredEvidence {
        let limit = plan.share
        let isEndless = scenario.expectation.continuesForever
        // A run may compute and sleep for the whole limit. In real time, all runs together take no longer than the
        // limit.
        let time = isEndless ? Self.endlessTrial : limit
        let deadline = Deadline(after: limit)
        var evidence = Evidence(.native, runs: 0, .part(.runs))
        var traces: [OutcomeKind: TraceDocument] = [:]
        let promised = scenario.expectation.warnings
        while evidence.runs < (isEndless ? 1 : plan.nativeRuns) {
            guard evidence.runs == 0 || deadline.left >= limit / 2 else {
                evidence.extent = .part(.time)
                break
            }
            var run = RunPlan(scenario, .native, timeout: time)
            run.isExamined = !promised.isEmpty
            run.mostEvents = Self.mostEvents
            run.end = deadline
            run.reviews = reviews
            let seen = try Supervisor.run(run)
            let trace = seen.trace
            guard let outcome = trace.outcome, !trace.wasInterrupted else {
                throw Interrupted(signal: trace.interruption ?? SIGINT)
            }
            let isSpinning = trace.events.last?.kind == .runStepLimit
            // Only the time in which the run computed or slept counts, with a quarter more for what was not observed.
            let had = min(time, seen.ownTime + seen.ownTime / 4)
            guard outcome.kind != .timeout || isEndless || isSpinning || had >= Self.shortestTrial else {
                evidence.extent = .part(.time)
                break
            }
            if plan.keepsTraces, !scenario.expectation.allows(outcome.kind, on: .native), !evidence.shows(outcome.kind)
            {
                traces[outcome.kind] = trace
            }
            let place = trace.place(of: outcome, judgesLockOrder: scenario.judgesLockOrder)
            evidence.add(outcome, states: scenario.seenStates(in: trace), at: place)
            if !promised.isEmpty { evidence.add(seen.findings, promised: promised) }
        }
        return GatheredEvidence(evidence: evidence, traces: traces)
    }
}

extension Evidence {
    /// Adds one run on real threads.
    mutating func add(_ outcome: Outcome, states: Set<Int>, at place: Place? = nil) {
        runs += 1
        seenStates.formUnion(states)
        if let known = sightings.firstIndex(where: { $0.outcome.kind == outcome.kind }) {
            sightings[known].count += 1
        } else {
            add(Sighting(count: 1, outcome: outcome, place: place))
        }
    }
}

extension Runnable {
    /// The sought states in which a run ended.
    fileprivate func seenStates(in trace: TraceDocument) -> Set<Int> {
        let texts = trace.events.lazy.filter { $0.kind == .stateSeen }.compactMap { trace.text(of: $0) }
        return Set(texts.compactMap { soughtStates.firstIndex(of: $0) })
    }
}

extension TraceDocument {
    /// The source line of the outcome: that of the mistake in the finding that decides it, or of the last event with a
    /// line.
    func place(of outcome: Outcome, judgesLockOrder: Bool) -> Evidence.Place? {
        if outcome.kind == .completed { return nil }
        var examination = Examination(judgesLockOrder: judgesLockOrder, isWhole: false)
        examination.consume(events[...])
        let decisive = Finding.deciding(outcome, among: examination.findings(in: Names(self)))
        let id = decisive?.fault ?? events.last { site($0.site) != nil }?.site
        return id.flatMap { site($0) }.map { Evidence.Place(file: $0.file, line: Int($0.line)) }
    }
}
