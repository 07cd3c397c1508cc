import Diagnosis

/// What a complete search may be called, in every command and format: what was looked at, and what it rests on.
package enum ProofWords {
    /// `none of 7 orders fails, nor any of 12 with a spurious wake-up, under any memory model`.
    package static func claim(_ explored: Explored, _ premises: Premises) -> String {
        let all =
            explored.count == 1
            ? "the only \(explored.noun) passes"
            : "none of \(EvidenceWords.count(explored.count, explored.noun)) fails"
        return all + scope(premises)
    }

    /// The same of a search that has found something, about everything else.
    package static func claimOfRest(_ explored: Explored, _ premises: Premises) -> String {
        let all =
            explored.count == 1
            ? "the only \(explored.noun) does not end differently"
            : "none of \(EvidenceWords.count(explored.count, explored.noun)) ends differently"
        return all + scope(premises)
    }

    /// What it is about, beginning with a comma.
    package static func scope(_ premises: Premises) -> String {
        wakeUps(premises.spurious) + ", under \(premises.model ?? "any memory model")"
    }

    private static func wakeUps(_ spurious: Premises.Spurious?) -> String {
        guard let spurious else { return "" }
        if let apart = spurious.apart { return ", nor any of \(apart.count.grouped) \(one(spurious))" }
        switch spurious.limit {
        case 0:
            return spurious.isOfUpdates
                ? ", without weak compare-exchanges that fail for no reason" : ", without spurious wake-ups"
        case 1: return spurious.isOfUpdates ? ", \(one(spurious)) at most" : ", with at most one spurious wake-up"
        default:
            return spurious.isOfUpdates
                ? ", with at most \(spurious.limit) weak compare-exchanges that fail for no reason"
                : ", with at most \(spurious.limit) spurious wake-ups"
        }
    }

    private static func one(_ spurious: Premises.Spurious) -> String {
        spurious.isOfUpdates ? "with one weak compare-exchange that fails for no reason" : "with a spurious wake-up"
    }

    /// `proved`, or with what it assumes of time.
    static func proved(_ premises: Premises) -> String { "proved" + time(premises) }

    /// The assumption about time: see docs/exploration.md.
    static func time(_ premises: Premises) -> String { premises.passesTime ? " with lazy time" : "" }

    /// That nothing was seen, as a sentence without its full stop: `none of 77 executions ended within 100,000 steps`.
    package static func nothingSeen(_ evidence: Evidence) -> String {
        guard evidence.runs > 0, let cut = evidence.cut else {
            return evidence.visited > 0
                ? "none of \(EvidenceWords.count(evidence.visited, "state")) that were visited ends an execution"
                : evidence.extent == .part(.time) ? "no execution ended within the time limit" : "no execution ended"
        }
        let none =
            evidence.runs == 1
            ? "the only execution did not end" : "none of \(EvidenceWords.count(evidence.runs, "execution")) ended"
        return "\(none) within \(EvidenceWords.count(cut.steps, "step"))"
    }

    /// `21 of 213 executions did not end within 100,000 steps`.
    package static func cutOff(_ cut: Evidence.Cut, of executions: Int) -> String {
        "\(cut.executions.grouped) of \(EvidenceWords.count(executions, "execution")) did not end within "
            + EvidenceWords.count(cut.steps, "step")
    }
}
