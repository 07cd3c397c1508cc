import Diagnosis
import Text
import Trace

/// The evidence about a scenario in words, and the ways in which it is not as expected. Evidence is called a proof only
/// if everything was tried.
enum EvidenceWords {
    /// A line such as
    /// `deadlock found after 2 executions; all 3 orders tried, under sc; native: deadlock in 3 of 3 runs`.
    static func summary(_ scenario: CheckedScenario) -> String {
        let claims = scenario.evidence.map { evidence in
            let claim =
                evidence.runtime == .native
                ? native(evidence) : search(evidence) + (scenario.isRemembered ? " (remembered)" : "")
            return ([claim] + evidence.warnings.map { frequency($0, evidence) }).joined(separator: "; ")
        }
        let seen = scenario.evidence.reduce(into: Set<Int>()) { $0.formUnion($1.seenStates) }
        let states = scenario.states.isEmpty ? [] : ["\(seen.count) of \(scenario.states.count) states seen"]
        let time = scenario.allotted.map { ["it had \($0.seconds(digits: 2)) s of the total time"] } ?? []
        return (claims + states + time).joined(separator: "; ")
    }

    private static func search(_ evidence: Evidence) -> String {
        let findings = evidence.sightings.map { (kind: $0.outcome.kind.rawValue, number: $0.first?.number ?? 0) }
            .sorted { $0.number < $1.number }
        let list = findings.enumerated().map { index, finding in
            let effort =
                index == 0 ? "found after \(count(finding.number, "execution"))" : "after \(finding.number.grouped)"
            return "\(finding.kind) \(effort)"
        }.joined(separator: ", ")
        switch (evidence.extent, findings.isEmpty) {
        case (.all(let explored, let premises), true):
            return "\(ProofWords.proved(premises)): \(ProofWords.claim(explored, premises))"
        case (.all(let explored, let premises), false):
            let all =
                explored.count == 1
                ? ", in the only \(explored.noun)" : "; all \(count(explored.count, explored.noun)) tried"
            return "\(list)\(all)\(ProofWords.time(premises))\(ProofWords.scope(explored, premises))"
        case (.part, true) where evidence.hasSeenNoEnd: return ProofWords.nothingSeen(evidence)
        case (.part(let limit), true):
            let seen = evidence.cut == nil ? "completed" : "no finding"
            return "\(seen) in \(count(evidence.runs, "execution")) (no proof: \(reason(limit, evidence)))"
        case (.part(let limit), false): return "\(list); no proof that this is all: \(reason(limit, evidence))"
        }
    }

    /// The frequency of a warning: `warning starvation in 3 of 100 random runs`.
    private static func frequency(_ warning: Evidence.Warning, _ evidence: Evidence) -> String {
        "warning \(warning.kind.rawValue) in \(warning.count.grouped) of \(examined(evidence))"
    }

    private static func examined(_ evidence: Evidence) -> String {
        count(evidence.examined, evidence.runtime == .native ? "run" : "random run")
    }

    private static func native(_ evidence: Evidence) -> String {
        if evidence.runs == 0 { return "native: no time for a run" }
        let findings = evidence.sightings.filter { $0.outcome.kind != .completed }
            .map { "\($0.outcome.kind.rawValue) in \($0.count.grouped)" }
        let runs = count(evidence.runs, "run")
        let claim = findings.isEmpty ? "completed in \(runs)" : "\(findings.joined(separator: ", ")) of \(runs)"
        return "native: \(claim)" + (evidence.extent == .part(.time) ? ", then time ran out" : "")
    }

    /// Why a search is not a proof, as a clause.
    static func reason(_ limit: Extent.Limit, _ evidence: Evidence) -> String {
        switch limit {
        case .runs: "execution limit reached"
        case .time: "time limit reached"
        case .memory: "memory limit reached"
        case .noNews: "nothing new for a long time"
        case .steps: evidence.cut.map { ProofWords.cutOff($0, of: evidence.runs) } ?? "some executions were cut off"
        case .spurious: "with a spurious wake-up, not everything was tried"
        case .weakOrders: "everything was tried under sc alone, and its memory orders are weaker"
        case .fatalEnds: "the program ended its process too often"
        case .obstacle: "partial-order search was abandoned"
        case .noProver: "it has no search by graphs"
        case .bound: "everything within a bound was tried"
        case .uncontrolled: evidence.escape ?? "not all that the program did was under control"
        case .lockOrder: "the search does not check lock order"
        }
    }

    /// A difference between the evidence and the expectation, as a sentence without its full stop.
    static func sentence(_ mismatch: Mismatch) -> String {
        switch mismatch {
        case .notAllowed(let sighting, let evidence): surprise(sighting, evidence)
        case .outcomeNotSeen(let kind, let evidence): "expected: \(kind.rawValue), \(absence(evidence))"
        case .stateNotSeen(let state, let evidence): absence(of: state, evidence)
        case .warningNotSeen(let kind, let evidence):
            "expected: warning \(kind.rawValue), not seen in \(examined(evidence)): no proof that it cannot happen"
        case .notRepeatable(let discrepancy, _): discrepancy
        case .notProved(let limit, let evidence): "not proved: \(reason(limit, evidence))"
        case .nothingSeen(let evidence): "undecided: \(ProofWords.nothingSeen(evidence))"
        // The execution and the place of the step are not named.
        case .busyWaiting(.found(let step, _, _), _):
            "busy waiting: a thread can go round and round alone, at '\(step)'"
        case .busyWaiting: "not decided whether a thread waits busily: not all states were searched"
        }
    }

    /// The words for an outcome that is not allowed.
    private static func surprise(_ sighting: Evidence.Sighting, _ evidence: Evidence) -> String {
        let kind = "not expected: \(sighting.outcome.kind.rawValue)"
        guard let first = sighting.first else {
            return "\(kind), in \(sighting.count.grouped) of \(count(evidence.runs, "run")) on real threads"
        }
        let forms = sighting.count > 1 ? " in \(sighting.count.grouped) forms" : ""
        return "\(kind)\(forms), found after \(count(first.number, "execution"))"
    }

    /// The words for a state that some execution must reach, and that none has reached.
    ///
    /// - Parameter state: the text of a claim: `sometimes a == 2`, `possible a == 2`, `broken …`, or a row of
    ///   `outcomes`.
    private static func absence(of state: String, _ evidence: Evidence) -> String {
        let possible = "possible "
        if state.hasPrefix(possible) { return absence(ofPossible: state.dropFirst(possible.count), evidence) }
        let (sometimes, broken) = ("sometimes ", "broken ")
        let end =
            if state.hasPrefix(sometimes) {
                "ends with '\(state.dropFirst(sometimes.count))'"
            } else if state.hasPrefix(broken) {
                "breaks '\(state.dropFirst(broken.count))'"
            } else {
                "ends with '\(state)'"
            }
        switch evidence.extent {
        case .all(let explored, let premises):
            let all =
                explored.count == 1 ? "the only \(explored.noun)" : "each of \(count(explored.count, explored.noun))"
            return
                "no run \(end): \(all) ends differently\(ProofWords.time(premises))\(ProofWords.scope(explored, premises))"
        case .part:
            return "no run \(end), of \(count(evidence.runs, "execution")): no proof that none can"
        }
    }

    private static func absence(ofPossible condition: Substring, _ evidence: Evidence) -> String {
        switch evidence.extent {
        case .all(let explored, let premises):
            let all =
                explored.count == 1 ? "the only \(explored.noun)" : "all \(count(explored.count, explored.noun))"
            return
                "'\(condition)' is never true: \(all) tried\(ProofWords.time(premises))\(ProofWords.scope(explored, premises))"
        case .part:
            let tried = count(evidence.runs, "execution")
            return "'\(condition)' was not true in any state of \(tried): no proof that it cannot be"
        }
    }

    /// The words for an outcome that some execution must have, and that none had.
    private static func absence(_ evidence: Evidence) -> String {
        switch evidence.extent {
        case .all(let explored, let premises):
            (explored.count == 1
                ? "but the only \(explored.noun) ends differently"
                : "but none of \(count(explored.count, explored.noun)) ends that way")
                + ProofWords.time(premises) + ProofWords.scope(explored, premises, isNegative: explored.count > 1)
        case .part: "not seen in \(count(evidence.runs, "execution")): no proof that it cannot happen"
        }
    }

    static func count(_ number: Int, _ noun: String) -> String {
        "\(number.grouped) \(noun)\(number == 1 ? "" : "s")"
    }
}

extension Int {
    /// The number with thousands separators, such as `1,000`.
    package var grouped: String {
        let digits = Array(String(magnitude))
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }
}

extension UInt64 {
    /// The nanoseconds as seconds, with this many decimal places.
    func seconds(digits: Int) -> String {
        var scale: UInt64 = 1_000_000_000
        for _ in 0..<digits { scale /= 10 }
        let rounded = added(saturating: scale / 2) / scale
        let text = String(rounded)
        let padded = String(repeating: "0", count: Swift.max(0, digits + 1 - text.count)) + text
        return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }
}

/// Evidence in a few words, for one line on a terminal.
enum BriefWords {
    /// For example `proved, 1,280 orders, any model`; `deadlock found, all 3 orders`.
    static func summary(_ scenario: CheckedScenario) -> String {
        let search = scenario.evidence.first { $0.runtime == .controlled }
        let claim = search.map { self.search($0) } ?? scenario.evidence.first.map { native($0) } ?? ""
        var seen: [WarningKind] = []
        for kind in scenario.evidence.flatMap(\.warnings).map(\.kind) where !seen.contains(kind) { seen.append(kind) }
        let warnings = seen.map { "; warning \($0.rawValue)" }.joined()
        let time = scenario.allotted.map { "; it had \($0.seconds(digits: 2)) s" } ?? ""
        return claim + warnings + (scenario.isRemembered ? " (remembered)" : "") + time
    }

    private static func search(_ evidence: Evidence) -> String {
        let kinds = evidence.sightings.filter { $0.outcome.kind != .completed }.map(\.outcome.kind.rawValue)
        let found = kinds.joined(separator: ", ") + " found"
        switch evidence.extent {
        case .all(let explored, let premises):
            if kinds.isEmpty { return ProofWords.brief(explored, premises) }
            let count = EvidenceWords.count(explored.count, explored.noun)
            return "\(found), \(explored.count == 1 ? "the only \(explored.noun)" : "all \(count)")"
        case .part(let limit):
            return kinds.isEmpty
                ? evidence.hasSeenNoEnd
                    ? ProofWords.nothingSeen(evidence) : "no proof: \(EvidenceWords.reason(limit, evidence))"
                : "\(found), no proof"
        }
    }

    private static func native(_ evidence: Evidence) -> String {
        if evidence.runs == 0 { return "no time for a run" }
        let kinds = evidence.sightings.map(\.outcome.kind.rawValue).joined(separator: ", ")
        return "\(kinds) in \(EvidenceWords.count(evidence.runs, "run"))"
    }

    /// The expectation, and what was found instead: `expected: completes; found: deadlock`.
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
        case .notProved(let limit, let evidence): "no proof (\(EvidenceWords.reason(limit, evidence)))"
        case .nothingSeen(let evidence): ProofWords.nothingSeen(evidence)
        case .busyWaiting(let waiting, _): waiting == .unknown ? "perhaps busy waiting" : "busy waiting"
        }
    }
}
