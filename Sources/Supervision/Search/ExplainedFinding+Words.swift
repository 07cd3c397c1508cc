import Diagnosis
import Exploration
import Machine

extension ExplainedFinding {
    /// Sentences about how it was found, for the end of a report on its trace.
    package var remarks: [String] {
        if isOfRandomRun {
            return ["Found in random execution \(finding.number), one of those run after the search."]
        }
        let found =
            finding.strategy == .states
            ? "Found by the search by states" : "Found in execution \(finding.number) (\(finding.strategy.rawValue))"
        guard isConfirmed else {
            let kind = finding.kind.rawValue
            let advice = Discrepancy.repetitionAdvice
            return ["\(found) as \(kind); with the same choices it ended differently this time. \(advice)"]
        }
        guard let shrunk else { return ["\(found)."] }
        let steps = shrunk.cost.words + shrunk.minimality.words
        if shrunk.cost < shrunk.original {
            return ["\(found), with \(shrunk.original.words); shrunk to \(steps)."]
        }
        return ["\(found), with \(steps)."]
    }

    /// The choices that lead to it, as few as were found.
    package var schedule: Schedule { shrunk?.schedule ?? finding.schedule }
}

extension ScheduleCost {
    fileprivate var words: String { "\(Names.count(steps, "step")) and \(Names.count(preemptions, "preemption"))" }
}

extension Shrunk.Minimality {
    fileprivate var words: String {
        switch self {
        case .unknown: ""
        case .preemptions: ", the minimum number of preemptions"
        case .steps: ", the minimum"
        }
    }
}
