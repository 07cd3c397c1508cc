import Diagnosis

/// The details of a failure, one per line.
struct CheckStory {
    enum Line: Equatable {
        /// A sentence, which can be wrapped.
        case words(String, indent: Int = 0)
        /// A command to copy, or a line of source.
        case verbatim(String)

        var text: String {
            switch self {
            case .words(let text, let indent): text.isEmpty ? "" : String(repeating: " ", count: indent) + text
            case .verbatim(let text): text
            }
        }
    }

    let lines: [Line]

    init(_ scenario: CheckedScenario) {
        switch scenario.verdict {
        case .asExpected, .notRun: lines = []
        case .wrong(let text), .error(let text), .stale(let text):
            lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
                .verbatim(String($0))
            }
        case .mismatched(let flaws):
            let trace: [Line] = scenario.trace.map { [.words("Its trace is saved in \($0).")] } ?? []
            lines = flaws.flatMap { Self.lines($0) } + trace
        }
    }

    private static func lines(_ flaw: CheckedScenario.Flaw) -> [Line] {
        var lines = [Line.words(EvidenceWords.sentence(flaw.mismatch))]
        switch flaw.mismatch {
        case .notAllowed(let sighting, _):
            lines += ([sighting.outcome.summary] + sighting.outcome.details).map { .words($0, indent: 2) }
        case .notProved(let limit, _): lines.append(.words(advice(limit), indent: 2))
        case .outcomeNotSeen, .stateNotSeen, .warningNotSeen, .notRepeatable: break
        }
        return lines + [.verbatim("  \(flaw.command)")]
    }

    /// What to do for a proof.
    private static func advice(_ limit: Extent.Limit) -> String {
        switch limit {
        case .runs: "Raise --runs, or leave it out."
        case .time: "Give it more time (--time 5m), or make the scenario smaller: fewer threads, fewer repetitions."
        case .noNews: "Leave out --runs, so that the search continues."
        case .steps: "Some executions do not end: bound their loops, or wait with 'await' instead of polling."
        case .fatalEnds: "The program must not end its own process."
        case .obstacle, .bound, .uncontrolled: "This explains why:"
        case .lockOrder: "A scenario that expects lock-order cannot be proved: list it in a baseline."
        }
    }
}
