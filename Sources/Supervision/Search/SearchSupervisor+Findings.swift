import Diagnosis
import Exploration
import Glibc
import Trace

/// Explains the findings after the search: shrinks their schedules, and repeats them in runs whose traces are shown.
extension SearchSupervisor {
    /// The number of findings that are shrunk thoroughly. Further ones get fewer attempts.
    private static let fewFindings = 10

    /// Which findings are shrunk and reported. The others are only collected.
    package enum Telling {
        case all
        /// The first finding of each outcome, shrunk less thoroughly.
        case firstOfEachKind
        case none
    }

    /// Shrinks and repeats the findings of a result.
    package static func explain(
        _ result: SearchResult, _ plan: SearchPlan, telling: Telling
    ) throws(SupervisionFailed) -> (result: SearchResult, findings: [ExplainedFinding]) {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        return try explain(result, plan, telling, signals)
    }

    static func explain(
        _ result: SearchResult, _ plan: SearchPlan, _ telling: Telling, _ signals: BlockedSignals
    ) throws(SupervisionFailed) -> (result: SearchResult, findings: [ExplainedFinding]) {
        var result = result
        var findings: [ExplainedFinding] = []
        let interruption = Interruption(signals, known: result.signal)
        let deadline = plan.end ?? Deadline(after: plan.time)
        let oldKinds = telling == .firstOfEachKind ? Set(plan.explained.map(\.kind)) : []
        let new = result.findings.filter { !plan.explained.contains($0.identity) && !oldKinds.contains($0.kind) }
        let chosen = telling.choose(from: new)
        for finding in chosen {
            let isOneOfMany = telling == .firstOfEachKind || findings.count >= Self.fewFindings
            // Each finding is shrunk in its share of three quarters of the time. The rest is for repeating and
            // reporting findings.
            let share = deadline.left / 4 * 3 / UInt64(chosen.count - findings.count)
            let explained = try FindingSupervisor.explain(
                finding, plan, signals, interruption, isFirst: findings.isEmpty, isOneOfMany: isOneOfMany,
                shrinking: deadline.at(most: share), until: deadline)
            if let foreign = explained.trace.foreignThread { result.discrepancy = foreign }
            try compare(explained, plan)
            findings.append(explained)
        }
        if let signal = interruption.signal { result.interrupt(by: signal) }
        return (result, findings)
    }

    /// Checks that the search and the run agree on how the schedule ends. For a `.lab` program, whose searches and runs
    /// have different engines, a difference is a bug in threadlab.
    private static func compare(_ finding: ExplainedFinding, _ plan: SearchPlan) throws(SupervisionFailed) {
        guard !plan.scenario.runsOwnCode, finding.cut != .interrupted, let kind = finding.trace.outcome?.kind,
            kind != finding.finding.kind, finding.trace.events.last?.kind != .runTimeout
        else { return }
        throw .internalError(
            "the search found '\(finding.finding.kind.rawValue)', but the same choices lead to '\(kind.rawValue)'",
            repeatedBy: plan.scenario.replayArguments(finding.trace.header))
    }
}

extension SearchSupervisor.Telling {
    fileprivate func choose(from findings: [Counterexample]) -> [Counterexample] {
        switch self {
        case .all: findings
        case .none: []
        case .firstOfEachKind:
            OutcomeKind.allCases.compactMap { kind in findings.first { $0.kind == kind } }
        }
    }
}

extension TraceDocument {
    /// The first use of an object by a thread outside the run.
    fileprivate var foreignThread: Discrepancy? {
        guard let event = events.first(where: { $0.kind == .threadForeign }) else { return nil }
        let names = Names(self)
        let object = event.object == .none ? "an object of it" : names.name(event.object)
        return .foreignThread(ForeignThreadWords.sentence(object) + names.at(event.site))
    }
}
