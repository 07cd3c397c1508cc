import Diagnosis
import Trace

/// The words for a complete search in every command and format: what was covered, and on which assumptions.
package enum ProofWords {
    /// For example `none of 7 orders fails, nor any of 12 with a spurious wake-up, under any memory model`.
    ///
    /// - Parameter isOfRest: whether the search has found something, and the words are about everything else.
    package static func claim(_ explored: Explored, _ premises: Premises, isOfRest: Bool = false) -> String {
        if explored.count == 1 {
            return "the only \(explored.noun) "
                + (isOfRest ? "does not end differently" : "passes") + scope(explored, premises, isNegative: isOfRest)
        }
        return
            "none of \(EvidenceWords.count(explored.count, explored.noun)) \(isOfRest ? "ends differently" : "fails")"
            + scope(explored, premises, isNegative: true)
    }

    /// The scope of a claim, beginning with a comma: `, and all 12 with a spurious wake-up, under any memory model`.
    ///
    /// - Parameter isNegative: whether it follows a negative claim, as in "none of 7 orders fails".
    package static func scope(_ explored: Explored, _ premises: Premises, isNegative: Bool = false) -> String {
        wakeUps(explored, premises.spurious, isNegative) + model(premises)
    }

    private static func model(_ premises: Premises) -> String { ", under \(premises.model ?? "any memory model")" }

    /// For example `proved, 7 orders, any model`.
    static func brief(_ explored: Explored, _ premises: Premises) -> String {
        let isWithout = premises.spurious?.limit == 0
        return
            "\(proved(premises)), \(EvidenceWords.count(explored.count, explored.noun)), \(premises.model ?? "any model")"
            + (isWithout ? wakeUps(explored, premises.spurious, false) : "")
    }

    private static func wakeUps(_ explored: Explored, _ spurious: Premises.Spurious?, _ isNegative: Bool) -> String {
        guard let spurious else { return "" }
        if let apart = spurious.apart {
            // The search with a spurious wake-up may have counted something else: states instead of orders.
            let isSame = apart.kind == explored.kind
            let number = isSame ? apart.count.grouped : EvidenceWords.count(apart.count, apart.noun)
            let all =
                apart.count == 1
                ? "the only \(isSame ? "one" : apart.noun)" : "\(isNegative ? "any of" : "all") \(number)"
            return ", \(isNegative ? "nor" : "and") \(all) \(one(spurious))"
        }
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

    /// The words for a search that allows one spurious wake-up, or one weak compare-exchange that fails for no reason.
    package static func withOne(_ premises: Premises) -> String {
        one(premises.spurious ?? Premises.Spurious(limit: 1))
    }

    /// The word `proved`, with the assumption about time, if there is one.
    static func proved(_ premises: Premises) -> String { "proved" + time(premises) }

    /// The assumption about time (see docs/exploration.md).
    package static func time(_ premises: Premises) -> String { premises.passesTime ? " with lazy time" : "" }

    /// A sentence without its full stop that says that nothing was seen:
    /// `none of 77 executions ended within 100,000 steps`.
    package static func nothingSeen(_ evidence: Evidence) -> String {
        if evidence.runtime == .native { return "no time for a run on real threads" }
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

    /// The limit that the user can raise so that a search in which no execution ended sees more.
    package enum Remedy {
        case time, steps, memory
    }

    /// - Returns: nil if no option would help.
    package static func remedy(_ evidence: Evidence) -> Remedy? {
        if evidence.extent == .part(.memory) { return .memory }
        if evidence.cut != nil { return .steps }
        return switch evidence.extent {
        case .part(.obstacle), .part(.noProver): nil
        case .part(.time): .time
        case .part, .all: evidence.visited > 0 ? .memory : .time
        }
    }

    /// For example `21 of 213 executions did not end within 100,000 steps`.
    package static func cutOff(_ cut: Evidence.Cut, of executions: Int) -> String {
        "\(cut.executions.grouped) of \(EvidenceWords.count(executions, "execution")) did not end within "
            + EvidenceWords.count(cut.steps, "step")
    }
}

extension Premises {
    /// Writes the premises as members of a JSON object, the same in every report.
    package func write(to json: inout JSONObject) {
        json.member("model", model ?? "any")
        json.member("lazyTime", passesTime)
        guard let spurious else { return }
        json.member("spurious", spurious.limit)
        if let apart = spurious.apart { json.member(named: "\(apart.kind.rawValue)WithSpurious", apart.count) }
    }
}
