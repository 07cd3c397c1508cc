import Trace

/// Everything that is looked for in a run, in one pass over its events: how it ended, and what else is to be said of it.
package struct Examination {
    private var judge: OutcomeJudge
    private var others: [any Detector] = []
    private var isOver = false

    /// - Parameters:
    ///   - judgesLockOrder: see `OutcomeJudge`.
    ///   - isWhole: false: only what can decide the outcome is looked for.
    package init(judgesLockOrder: Bool = false, isWhole: Bool = true) {
        judge = OutcomeJudge(judgesLockOrder: judgesLockOrder)
        guard isWhole else { return }
        others = [
            LostWakeUpDetector(), WaitWithoutLoopDetector(), LivelockDetector(), StarvationDetector(),
            PriorityInversionDetector(), HeldWhileBlockedDetector(), HeldTooLongDetector(), ContentionDetector(),
        ]
    }

    /// What is found in a trace, finished or cut off.
    package static func findings(in trace: TraceDocument) -> [Finding] {
        var examination = Examination()
        examination.consume(trace.events[...])
        return examination.findings(in: Names(trace))
    }

    /// - Parameter events: those that come next.
    package mutating func consume(_ events: ArraySlice<Event>) {
        judge.consume(events)
        // What threads do once the run is over is not the program's.
        guard !isOver else { return }
        let end = events.firstIndex { $0.kind.endsRun }
        isOver = end != nil
        let own = end.map { events[...$0] } ?? events
        for index in others.indices { others[index].consume(own) }
    }

    /// Who waits for whom, as it is now.
    package var graph: WaitForGraph { judge.graph }

    /// - Parameter guide: the guide's section that treats what the scenario shows.
    package func outcome(in names: Names, guide: String? = nil) -> Outcome { judge.outcome(in: names, guide: guide) }

    /// Everything that was found, the gravest first; and first of all what decides the outcome.
    package func findings(in names: Names) -> [Finding] {
        let findings = Self.merged(judge.findings(in: names), others.flatMap { $0.findings(in: names) })
        let told = findings.filter { finding in !findings.contains { $0.tells(finding) } }
        return Severity.allCases.flatMap { severity in told.filter { $0.severity == severity } }
    }

    /// That there is no progress is said once: by the run, with the circle in which its threads go.
    private static func merged(_ judged: [Finding], _ others: [Finding]) -> [Finding] {
        guard let place = judged.firstIndex(where: { $0.code == .livelock }),
            let circle = others.first(where: { $0.code == .livelock })
        else { return judged + others }
        var judged = judged
        judged[place].add(circle)
        return judged + others.filter { $0 != circle }
    }
}

extension Finding {
    /// Whether this deadlock's story has the other one in it.
    fileprivate func tells(_ other: Finding) -> Bool {
        guard code == .deadlock else { return false }
        switch other.code {
        case .lockOrder: return Set(other.objects).isSubset(of: objects)
        case .heldWhileBlocked: return Set(other.threads).isSubset(of: threads)
        default: return false
        }
    }
}
