import Trace

/// Says how a run ended, from its events alone.
///
/// Every detector says what it found, and the gravest finding is the outcome. The others stay as a line of its story.
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
    private var hasReachedEnd = false
    private var count = 0

    package init() {}

    /// The outcome of a trace, finished or cut off.
    ///
    /// - Parameter guide: the guide's section that treats what the scenario shows.
    package static func outcome(of trace: TraceDocument, guide: String? = nil) -> Outcome {
        var judge = OutcomeJudge()
        for event in trace.events { judge.consume(event) }
        return judge.outcome(in: Words(trace), guide: guide)
    }

    package mutating func consume(_ event: Event) {
        count += 1
        if event.kind == .runExit || event.kind == .runComplete { hasReachedEnd = true }
        ending.consume(event)
        failures.consume(event)
        leaks.consume(event)
        races.consume(event)
    }

    /// - Parameter guide: the guide's section that treats what the scenario shows.
    package func outcome(in words: Words, guide: String? = nil) -> Outcome {
        let findings = findings(in: words)
        var outcome = findings.first ?? withoutFinding(words)
        outcome.details += findings.dropFirst().map { "Also (\($0.kind.rawValue)): \($0.summary)" }
        if words.trace.dropped > 0 {
            outcome.details.append(
                "The trace lacks \(Words.count(words.trace.dropped, "event")), so this may not be the whole story.")
        }
        outcome.guide = guide
        return outcome
    }

    /// Everything that was found, the gravest first.
    package func findings(in words: Words) -> [Outcome] {
        let detectors: [any Detector] = [ending, failures, leaks, races]
        let findings = detectors.flatMap { $0.findings(in: words) }
        return Self.precedence.flatMap { rank in findings.filter { rank.contains($0.kind) } }
    }

    private func withoutFinding(_ words: Words) -> Outcome {
        guard hasReachedEnd else { return ending.cutOff(words) }
        let threads = Words.count(words.trace.threads.count, "thread")
        return Outcome(.completed, summary: "Nothing amiss in \(threads) and \(Words.count(count, "event")).")
    }
}
