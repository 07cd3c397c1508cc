import Trace

/// Says how a run ended, from its events alone.
///
/// The detectors that can decide that say what they found, and the gravest finding is the outcome. The others are left to
/// whoever asks for them.
package struct OutcomeJudge {
    /// Which finding is the outcome if there are several: the one that is nearest to the cause, or that leaves the others
    /// without meaning. Of several of one rank it is the one that happened first.
    ///
    /// 1. The run was stopped by a person: nothing that was seen is the whole story.
    /// 2. The process died.
    /// 3. Something said that it failed. Threads that are stuck afterwards are often stuck because of it.
    /// 4. The threads can't go on; then: they do, but come to no end.
    /// 5. The run came to its end, and left something behind.
    /// 6. All went well this time, but not by right.
    package static let precedence: [[OutcomeKind]] = [
        [.interrupted], [.crash], [.assertion, .misuse, .error], [.deadlock], [.livelock], [.timeout], [.leak],
        [.race], [.lockOrder], [.completed],
    ]

    private var ending = EndingDetector()
    private var failures = FailureDetector()
    private var leaks = LeakDetector()
    private var races = RaceDetector()
    private var order = LockOrderDetector()
    private let judgesLockOrder: Bool
    private var count = 0

    /// - Parameter judgesLockOrder: whether locks that are taken in different orders decide the outcome. Usually they do not:
    ///   such a run did end well, and a warning says what might have happened.
    package init(judgesLockOrder: Bool = false) { self.judgesLockOrder = judgesLockOrder }

    /// The outcome of a trace, finished or cut off.
    ///
    /// - Parameters:
    ///   - guide: the guide's section that treats what the scenario shows.
    ///   - judgesLockOrder: see `init`.
    package static func outcome(
        of trace: TraceDocument, guide: String? = nil, judgesLockOrder: Bool = false
    ) -> Outcome {
        var judge = OutcomeJudge(judgesLockOrder: judgesLockOrder)
        judge.consume(trace.events[...])
        return judge.outcome(in: Names(trace), guide: guide)
    }

    /// - Parameter events: those that come next.
    package mutating func consume(_ events: ArraySlice<Event>) {
        count += events.count
        ending.consume(events)
        failures.consume(events)
        leaks.consume(events)
        races.consume(events)
        order.consume(events)
    }

    /// Who waits for whom, as it is now.
    var graph: WaitForGraph { ending.graph }

    /// - Parameter guide: the guide's section that treats what the scenario shows.
    package func outcome(in names: Names, guide: String? = nil) -> Outcome {
        var outcome = ending.interruption(names) ?? decisive(findings(in: names)) ?? withoutFinding(names)
        let unseen = names.trace.events.count + names.trace.dropped - count
        if unseen > 0 {
            outcome.details.append(
                "The trace lacks \(Names.count(unseen, "event")), so this diagnosis may be incomplete.")
        }
        outcome.guide = guide
        return outcome
    }

    /// Everything that was found, the gravest first.
    package func findings(in names: Names) -> [Finding] {
        let detectors: [any Detector] = [ending, failures, leaks, races, order]
        let findings = detectors.flatMap { $0.findings(in: names) }
        let ranked = Self.precedence.flatMap { rank in
            findings.filter { $0.code.outcome.map(rank.contains) ?? false }
        }
        return ranked + findings.filter { $0.code.outcome == nil }
    }

    /// The outcome that the gravest finding means, with its story.
    private func decisive(_ findings: [Finding]) -> Outcome? {
        for finding in findings where judgesLockOrder || finding.code != .lockOrder {
            guard let kind = finding.code.outcome else { continue }
            return Outcome(kind, summary: finding.summary, details: finding.story + [finding.advice].compactMap(\.self))
        }
        return nil
    }

    private func withoutFinding(_ names: Names) -> Outcome {
        guard ending.hasReachedEnd else { return ending.cutOff(names) }
        let threads = Names.count(names.trace.threads.count, "thread")
        return Outcome(
            .completed, summary: "The run completed, with \(threads) and \(Names.count(count, "event")).")
    }
}
