import Trace

/// Determines how a run ended, from its events alone.
///
/// The findings of the detectors that can decide the outcome are ranked, and the first one is the outcome. `findings`
/// returns them all.
package struct OutcomeJudge {
    /// Which of several findings is the outcome: the one that is nearest to the cause, or that makes the others
    /// meaningless. Among findings of equal rank it is the first.
    ///
    /// 1. The run was interrupted by the user: the observations are incomplete.
    /// 2. The process died.
    /// 3. A failure was reported, or a claim does not hold; last, a claim that the program itself calls broken. Threads
    ///    that are stuck afterwards are often stuck because of it.
    /// 4. The threads cannot continue (deadlock), or they continue and never finish (livelock, starvation, time-out).
    /// 5. The run completed only by luck, because it had a race. A race also outranks the step limit, which does not
    ///    show that the run would not have ended.
    /// 6. The run completed but left something behind. Programs do that on purpose, so it must not hide a race.
    /// 7. The run completed, and took locks in different orders.
    package static let precedence: [[OutcomeKind]] = [
        [.interrupted], [.crash], [.assertion, .claim, .misuse, .error], [.brokenClaim], [.deadlock],
        [.livelock], [.starvation], [.timeout], [.race], [.leak], [.lockOrder], [.completed],
    ]

    private var ending = EndingDetector()
    private var failures = FailureDetector()
    private var leaks = LeakDetector()
    private var leakedObjects = LeakedObjectDetector()
    private var leakedMemory = LeakedMemoryDetector()
    private var races = RaceDetector()
    private var order = LockOrderDetector()
    /// Why the memory model allows the steps that are not sequentially consistent.
    private var weakReasons = WeakReasons()
    private let judgesLockOrder: Bool

    /// - Parameter judgesLockOrder: whether locks taken in different orders decide the outcome. By default they do not:
    ///   the run has completed, and a warning reports what might have happened.
    package init(judgesLockOrder: Bool = false) { self.judgesLockOrder = judgesLockOrder }

    /// The outcome of a trace, complete or truncated.
    ///
    /// - Parameters:
    ///   - guide: the section of the guide on what the scenario shows.
    ///   - judgesLockOrder: see `init`.
    package static func outcome(
        of trace: TraceDocument, guide: String? = nil, judgesLockOrder: Bool = false
    ) -> Outcome {
        var judge = OutcomeJudge(judgesLockOrder: judgesLockOrder)
        var run = RunState()
        for event in trace.events {
            run.consume(event)
            judge.consume(event, run)
        }
        return judge.outcome(in: Names(trace), run, guide: guide)
    }

    /// - Parameter run: the run's state after the event.
    mutating func consume(_ event: Event, _ run: RunState) {
        ending.consume(event, run)
        failures.consume(event, run)
        leaks.consume(event, run)
        leakedObjects.consume(event, run)
        leakedMemory.consume(event, run)
        races.consume(event, run)
        order.consume(event, run)
        weakReasons.consume(event, run)
    }

    /// See `Examination.activity`.
    func activity(in names: Names, _ run: RunState, at time: UInt64) -> [String] {
        ending.activity(names, run, at: time)
    }

    /// - Parameter guide: the section of the guide on what the scenario shows.
    func outcome(in names: Names, _ run: RunState, guide: String? = nil) -> Outcome {
        var outcome =
            ending.interruption(names, run) ?? decisive(findings(in: names, run), names) ?? withoutFinding(names, run)
        outcome.details += weakReasons.paragraphs(in: names)
        let unseen = names.trace.events.count + names.trace.dropped - run.count
        if unseen > 0 {
            outcome.details.append(
                "The trace lacks \(Names.count(unseen, "event")), so this diagnosis may be incomplete.")
        }
        outcome.guide = guide
        return outcome
    }

    /// All findings, ranked by `precedence`.
    func findings(in names: Names, _ run: RunState) -> [Finding] {
        let detectors: [any Detector] = [ending, failures, leakedMemory, leaks, leakedObjects, races, order]
        var findings = detectors.flatMap { $0.findings(in: names, run) }
        if ending.hasTooManySteps && findings.contains(where: { $0.outcome == .race }) {
            findings.removeAll { $0.outcome == .timeout }
        }
        let ranked = Self.precedence.flatMap { rank in
            findings.filter { $0.outcome.map(rank.contains) ?? false }
        }
        return ranked + findings.filter { $0.outcome == nil }
    }

    /// The outcome of the first finding that has one, with its story. Lock orders are skipped unless they are judged.
    private func decisive(_ findings: [Finding], _ names: Names) -> Outcome? {
        for finding in findings where judgesLockOrder || finding.code != .lockOrder {
            guard let kind = finding.outcome else { continue }
            let others = alike(finding, findings, names)
            return Outcome(kind, summary: finding.summary, details: words(of: finding) + others)
        }
        return nil
    }

    /// Words about other findings with the same outcome that do not follow from this one: what else was left behind, or
    /// which other memory has a data race.
    private func alike(_ finding: Finding, _ findings: [Finding], _ names: Names) -> [String] {
        let others = findings.filter { $0.outcome == finding.outcome && $0 != finding }
        switch finding.outcome {
        case .leak: return others.flatMap { [$0.summary] + words(of: $0) }
        case .race:
            if others.isEmpty { return [] }
            let cells = others.flatMap(\.objects).map(names.name)
            let rest = cells.count > Self.mostCells ? ["\(cells.count - Self.mostCells) more"] : []
            let verb = cells.count == 1 ? "has a data race" : "have data races"
            return ["\(Names.list(cells.prefix(Self.mostCells) + rest)) \(verb) in this run, too."]
        case .completed, .deadlock, .livelock, .starvation, .assertion, .claim, .brokenClaim, .lockOrder, .misuse,
            .error, .timeout, .crash, .interrupted, nil:
            return []
        }
    }

    /// The maximum number of racy cells that are named. Further ones are counted.
    private static let mostCells = 5

    private func words(of finding: Finding) -> [String] { finding.story + [finding.advice].compactMap(\.self) }

    /// The outcome of a run without a finding that decides it.
    private func withoutFinding(_ names: Names, _ run: RunState) -> Outcome {
        guard ending.hasReachedEnd else { return ending.cutOff(names, run) }
        let threads = Names.count(names.trace.threads.count, "thread")
        if let steps = ending.stepsForever {
            return Outcome(
                .completed,
                summary: "The run continues forever, as it should: its last \(Names.count(steps, "step")) can repeat, "
                    + "and every thread makes progress in them.")
        }
        return Outcome(
            .completed, summary: "The run completed, with \(threads) and \(Names.count(run.count, "event")).")
    }
}
