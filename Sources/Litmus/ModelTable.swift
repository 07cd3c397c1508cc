import Machine

/// Which outcomes of a litmus program the memory models allow. In the order of `MemoryModel`, each model allows all
/// that the models before it allow.
package struct ModelTable: Sendable {
    /// Whether a model allows an outcome.
    package enum Verdict: String, Sendable { case yes, no, unknown }

    /// The outcomes that a model allows.
    package enum Allowed: Sendable {
        /// These, and no others.
        case known(Set<LitmusOutcome>)
        /// Why they are not known, as a sentence without its full stop.
        case unknown(String)
    }

    private let allowed: [MemoryModel: Set<LitmusOutcome>]
    /// The models whose outcomes are not known, and why.
    package let unknown: [(model: MemoryModel, reason: String)]

    /// - Parameter allowedOutcomes: called with each model.
    package init(_ allowedOutcomes: (MemoryModel) throws -> Allowed) rethrows {
        var allowed: [MemoryModel: Set<LitmusOutcome>] = [:]
        var unknown: [(model: MemoryModel, reason: String)] = []
        for model in MemoryModel.allCases {
            switch try allowedOutcomes(model) {
            case .known(let outcomes): allowed[model] = outcomes
            case .unknown(let reason): unknown.append((model, reason))
            }
        }
        self.allowed = allowed
        self.unknown = unknown
    }

    /// The first outcome in the histogram that the model does not allow: the processor does not follow the model. Nil:
    /// there is none.
    package func contradiction(in histogram: Histogram, of model: MemoryModel) -> LitmusOutcome? {
        histogram.rows.first { verdict($0.outcome, model) == .no }?.outcome
    }

    /// Whether the outcomes that the model allows are known.
    package func isKnown(_ model: MemoryModel) -> Bool { allowed[model] != nil }

    /// Whether the model allows the outcome.
    package func verdict(_ outcome: LitmusOutcome, _ model: MemoryModel) -> Verdict {
        // A round that was given up would have had another outcome.
        if outcome.ending == .unfinished { return .unknown }
        if let known = allowed[model] { return known.contains(outcome) ? .yes : .no }
        // What is known of the other models decides: a model before this one that allows the outcome, or one after it
        // that does not.
        let models = MemoryModel.allCases
        let position = models.firstIndex(of: model) ?? 0  // each model is in the list
        let allows = { (other: MemoryModel) in allowed[other]?.contains(outcome) }
        if models[..<position].contains(where: { allows($0) == true }) { return .yes }
        if models[position...].contains(where: { allows($0) == false }) { return .no }
        return .unknown
    }
}
