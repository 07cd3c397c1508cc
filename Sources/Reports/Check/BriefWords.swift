import Diagnosis
import Trace

/// Evidence in a few words, for a line of a terminal.
enum BriefWords {
    /// `proved, 1,280 traces`; `deadlock found, all 3 traces`.
    static func summary(_ scenario: CheckedScenario) -> String {
        let search = scenario.evidence.first { $0.runtime == .controlled }
        let claim = search.map { self.search($0) } ?? scenario.evidence.first.map { native($0) } ?? ""
        var seen: [WarningKind] = []
        for kind in scenario.evidence.flatMap(\.warnings).map(\.kind) where !seen.contains(kind) { seen.append(kind) }
        let warnings = seen.map { "; warning \($0.rawValue)" }.joined()
        return claim + warnings + (scenario.isRemembered ? " (remembered)" : "")
    }

    private static func search(_ evidence: Evidence) -> String {
        let kinds = evidence.sightings.filter { $0.outcome.kind != .completed }.map(\.outcome.kind.rawValue)
        let found = kinds.joined(separator: ", ") + " found"
        switch evidence.extent {
        case .all(let explored, _):
            let count = EvidenceWords.count(explored.count, explored.noun)
            if kinds.isEmpty { return "proved, \(count)" }
            return "\(found), \(explored.count == 1 ? "the only \(explored.noun)" : "all \(count)")"
        case .part(let limit):
            return kinds.isEmpty ? "no proof: \(EvidenceWords.reason(limit))" : "\(found), no proof"
        }
    }

    private static func native(_ evidence: Evidence) -> String {
        if evidence.runs == 0 { return "no time for a run" }
        let kinds = evidence.sightings.map(\.outcome.kind.rawValue).joined(separator: ", ")
        return "\(kinds) in \(EvidenceWords.count(evidence.runs, "run"))"
    }

    /// What was expected, and what was found instead: `expected: completes; found: deadlock`.
    static func contrast(_ scenario: CheckedScenario, _ flaws: [CheckedScenario.Flaw]) -> String {
        // Both runtimes may have found the same.
        var found: [String] = []
        for words in flaws.map({ self.found($0.mismatch) }) where !found.contains(words) { found.append(words) }
        return "expected: \(scenario.expectation ?? "completes"); found: \(found.joined(separator: ", "))"
    }

    private static func found(_ mismatch: Mismatch) -> String {
        switch mismatch {
        case .notAllowed(let sighting, _): sighting.outcome.kind.rawValue
        case .outcomeNotSeen(let kind, _): "no \(kind.rawValue)"
        case .stateNotSeen(let state, _): "no '\(state)'"
        case .warningNotSeen(let kind, _): "no warning \(kind.rawValue)"
        case .notRepeatable: "executions that cannot be repeated"
        case .notProved(let limit, _): "no proof (\(EvidenceWords.reason(limit)))"
        }
    }
}
