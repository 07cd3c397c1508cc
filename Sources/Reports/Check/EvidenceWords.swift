import Diagnosis
import Trace

/// Evidence in words. They never claim more than was seen: random runs prove nothing.
enum EvidenceWords {
    /// For one line: `deadlock in 312 of 1,000 runs; native: deadlock in 3 of 3 runs`.
    static func summary(_ evidence: [Evidence]) -> String {
        (evidence.map(summary) + states(evidence)).joined(separator: "; ")
    }

    private static func summary(_ evidence: Evidence) -> String {
        let isNative = evidence.runtime == .native
        let findings = evidence.sightings.filter { $0.outcome.kind != .completed }
            .map { "\($0.outcome.kind.rawValue) in \($0.count.grouped)" }
        let runs = runs(evidence)
        let claim =
            findings.isEmpty
            ? "completed in \(runs)\(isNative ? "" : " (no proof)")" : "\(findings.joined(separator: ", ")) of \(runs)"
        let hint = evidence.runs < evidence.wantedRuns ? ", then time ran out" : ""
        return (isNative ? "native: " : "") + claim + hint
    }

    private static func states(_ evidence: [Evidence]) -> [String] {
        guard let count = evidence.first?.states.count, count > 0 else { return [] }
        let seen = (0..<count).filter { number in evidence.contains { $0.states[number] > 0 } }
        return ["\(seen.count) of \(count) states seen"]
    }

    /// What is wrong, in a sentence without its full stop.
    static func sentence(_ mismatch: Mismatch) -> String {
        let runs = runs(mismatch.evidence)
        let place = mismatch.evidence.runtime == .controlled ? "" : " on real threads"
        return switch mismatch {
        case .notAllowed(let sighting, _):
            "not expected: \(sighting.outcome.kind.rawValue), in \(sighting.count.grouped) of \(runs)\(place)"
        case .outcomeNotSeen(let kind, _):
            "expected: \(kind.rawValue), not seen in \(runs): no proof that it cannot happen"
        case .stateNotSeen(let state, _): "expected: '\(state)', not seen in \(runs): no proof that it cannot happen"
        }
    }

    private static func runs(_ evidence: Evidence) -> String {
        "\(evidence.runs.grouped) \(evidence.runs == 1 ? "run" : "runs")"
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
