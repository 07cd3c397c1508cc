import Trace

/// Examines a run in one pass over its events: how the run ended, and all other findings. It feeds one `RunState`, the
/// judge of the outcome, and the detectors.
package struct Examination {
    /// The run's state after the events so far.
    package private(set) var run = RunState()
    private var judge: OutcomeJudge
    private var others: [any Detector] = []

    /// - Parameters:
    ///   - judgesLockOrder: see `OutcomeJudge`.
    ///   - isWhole: whether to look for all findings; if false, only for those that can decide the outcome.
    package init(judgesLockOrder: Bool = false, isWhole: Bool = true) {
        judge = OutcomeJudge(judgesLockOrder: judgesLockOrder)
        guard isWhole else { return }
        others = FindingCode.allCases.compactMap { $0.row.detector?() }
    }

    /// The findings in a trace, complete or truncated.
    package static func findings(in trace: TraceDocument) -> [Finding] {
        var examination = Examination()
        examination.consume(trace.events[...])
        return examination.findings(in: Names(trace))
    }

    /// - Parameter events: the next events.
    package mutating func consume(_ events: ArraySlice<Event>) {
        for event in events {
            let wasOver = run.isOver
            run.consume(event)
            judge.consume(event, run)
            // What threads do after the end of the run is not the program's behavior.
            if !wasOver { for index in others.indices { others[index].consume(event, run) } }
        }
    }

    /// The current wait-for graph.
    package var graph: WaitForGraph { run.graph }

    /// What at most ten threads of a run in progress are doing, each in a few words: `first waits for b (2.9 s)`.
    ///
    /// - Parameter time: the current time of the run, in nanoseconds.
    package func activity(in names: Names, at time: UInt64) -> [String] { judge.activity(in: names, run, at: time) }

    /// - Parameter guide: the section of the guide on what the scenario shows.
    package func outcome(in names: Names, guide: String? = nil) -> Outcome {
        judge.outcome(in: names, run, guide: guide)
    }

    /// The findings, most severe first. Of equally severe ones, the one that decides the outcome comes first.
    package func findings(in names: Names) -> [Finding] {
        let findings = Self.merged(judge.findings(in: names, run), others.flatMap { $0.findings(in: names, run) })
        let stories = findings.filter(\.isDeadlock)
        let reported = findings.filter { finding in !stories.contains { $0.covers(finding) } }
        let sorted = Severity.allCases.flatMap { severity in reported.filter { $0.severity == severity } }
        return Array(sorted.prefix(Self.mostFindings))
    }

    /// The maximum number of findings. No reader reads more, and a trace of very many objects could have one for each.
    private static let mostFindings = 1000

    /// Joins the findings of the judge and of the detectors. If both report a livelock, the detector's finding is added
    /// to the judge's (`Finding.add`).
    private static func merged(_ judged: [Finding], _ others: [Finding]) -> [Finding] {
        guard let index = judged.firstIndex(where: { $0.code == .livelock }),
            let livelock = others.first(where: { $0.code == .livelock })
        else { return judged + others }
        var judged = judged
        judged[index].add(livelock)
        return judged + others.filter { $0 != livelock }
    }
}

extension Finding {
    /// Whether this is a deadlock of threads or of queues. Its story may make other findings superfluous (`covers`).
    fileprivate var isDeadlock: Bool { code == .deadlock || code == .queueCycle }

    /// Whether this deadlock's story includes what the other finding says.
    fileprivate func covers(_ other: Finding) -> Bool {
        guard isDeadlock else { return false }
        if other.code == .lockOrder { return Set(other.objects).isSubset(of: objects) }
        return other.code == .heldWhileBlocked && Set(other.threads).isSubset(of: threads)
    }
}
