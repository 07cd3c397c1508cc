import Diagnosis
import Trace

/// Evidence in words. They never claim more than was seen: random runs prove nothing.
enum EvidenceWords {
    /// For one line: `deadlock in 312 of 1,000 runs; on real threads in 3 of 3`.
    static func summary(_ evidence: [Evidence]) -> String {
        evidence.map { evidence in
            let found = evidence.sightings.filter { $0.outcome.kind != .completed }
                .map { "\($0.outcome.kind.rawValue) in \($0.count.grouped)" }
            let isControlled = evidence.runtime == .controlled
            let runs = "\(runs(evidence))\(isControlled ? "" : " on real threads")"
            guard evidence.runs > 0 else { return "no run\(isControlled ? "" : " on real threads") in the time" }
            if found.isEmpty { return "completed in \(runs)\(isControlled ? " (no proof)" : "")" }
            return "\(found.joined(separator: ", ")) of \(runs)"
        }.joined(separator: "; ") + states(evidence)
    }

    private static func states(_ evidence: [Evidence]) -> String {
        guard let count = evidence.first?.states.count, count > 0 else { return "" }
        let seen = (0..<count).filter { number in evidence.contains { $0.states[number] > 0 } }
        return "; \(seen.count) of \(count) states seen"
    }

    /// What is wrong, in a sentence without its full stop.
    static func sentence(_ mismatch: Mismatch) -> String {
        let evidence = mismatch.evidence
        let place = evidence.runtime == .controlled ? "" : " on real threads"
        switch mismatch {
        case .notAllowed(let sighting, _):
            let how = sighting.outcome.kind == .completed ? "completed" : sighting.outcome.kind.rawValue
            return "not expected: \(how), in \(sighting.count.grouped) of \(runs(evidence))\(place)"
        case .outcomeNotSeen(let kind, _): return "expected: \(kind.rawValue), not seen in \(noProof(evidence))"
        case .stateNotSeen(let state, _): return "expected: '\(state)', not seen in \(noProof(evidence))"
        }
    }

    private static func noProof(_ evidence: Evidence) -> String {
        "\(runs(evidence)): no proof that it cannot happen"
    }

    /// `1,000 runs`, and how many there should have been if time ran out.
    private static func runs(_ evidence: Evidence) -> String {
        let count = "\(evidence.runs.grouped) \(evidence.runs == 1 ? "run" : "runs")"
        return evidence.runs < evidence.wantedRuns ? "\(count) (of \(evidence.wantedRuns.grouped))" : count
    }
}

extension Int {
    /// With a comma after each three digits: `1,000`.
    var grouped: String {
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
    /// Nanoseconds as seconds, with so many digits behind the point.
    func seconds(digits: Int) -> String {
        var scale: UInt64 = 1_000_000_000
        for _ in 0..<digits { scale /= 10 }
        let rounded = (self + scale / 2) / scale
        let text = String(rounded)
        let padded = String(repeating: "0", count: Swift.max(0, digits + 1 - text.count)) + text
        return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }
}
