import Trace

/// A complete examination of a run in one pass over its events: how it ended, and all other findings.
package struct Examination {
    private var judge: OutcomeJudge
    private var others: [any Detector] = []
    private var isOver = false

    /// - Parameters:
    ///   - judgesLockOrder: see `OutcomeJudge`.
    ///   - isWhole: if false, only findings that can decide the outcome are looked for.
    package init(judgesLockOrder: Bool = false, isWhole: Bool = true) {
        judge = OutcomeJudge(judgesLockOrder: judgesLockOrder)
        guard isWhole else { return }
        others = [
            LostWakeUpDetector(), WaitWithoutLoopDetector(), LivelockDetector(), StarvationDetector(),
            PriorityInversionDetector(), HeldWhileBlockedDetector(), HeldTooLongDetector(), ContentionDetector(),
            HandlerLockDetector(),
        ]
    }

    /// The findings in a trace, complete or truncated.
    package static func findings(in trace: TraceDocument) -> [Finding] {
        var examination = Examination()
        examination.consume(trace.events[...])
        return examination.findings(in: Names(trace))
    }

    /// - Parameter events: the next events.
    package mutating func consume(_ events: ArraySlice<Event>) {
        judge.consume(events)
        // What threads do after the end of the run is not the program's behavior.
        guard !isOver else { return }
        let end = events.firstIndex { $0.kind.endsRun }
        isOver = end != nil
        let own = end.map { events[...$0] } ?? events
        for index in others.indices { others[index].consume(own) }
    }

    /// The current wait-for graph.
    package var graph: WaitForGraph { judge.graph }

    /// What each thread of a run in progress is doing, in a few words: `first waits for b (2.9 s)`.
    ///
    /// - Parameter time: the time of the run.
    package func activity(in names: Names, at time: UInt64) -> [String] { judge.activity(in: names, at: time) }

    /// - Parameter guide: the section of the guide on what the scenario shows.
    package func outcome(in names: Names, guide: String? = nil) -> Outcome { judge.outcome(in: names, guide: guide) }

    /// All findings, most severe first; the one that decides the outcome comes first of all.
    package func findings(in names: Names) -> [Finding] {
        let findings = Self.merged(judge.findings(in: names), others.flatMap { $0.findings(in: names) })
        let reported = findings.filter { finding in !findings.contains { $0.covers(finding) } }
        return Severity.allCases.flatMap { severity in reported.filter { $0.severity == severity } }
    }

    /// A lack of progress is reported once: by the run, with the cycle of its threads.
    private static func merged(_ judged: [Finding], _ others: [Finding]) -> [Finding] {
        guard let place = judged.firstIndex(where: { $0.code == .livelock }),
            let cycle = others.first(where: { $0.code == .livelock })
        else { return judged + others }
        var judged = judged
        judged[place].add(cycle)
        return judged + others.filter { $0 != cycle }
    }
}

extension Finding {
    /// Whether this deadlock's story includes the other one.
    fileprivate func covers(_ other: Finding) -> Bool {
        guard code == .deadlock || code == .queueCycle else { return false }
        switch other.code {
        case .lockOrder: return Set(other.objects).isSubset(of: objects)
        case .heldWhileBlocked: return Set(other.threads).isSubset(of: threads)
        default: return false
        }
    }
}
