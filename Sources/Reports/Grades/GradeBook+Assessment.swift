import Diagnosis

extension GradeBook {
    /// The result of a submission.
    package struct Assessment: Sendable {
        /// The outcome. The raw value is its stable word for scripts.
        package enum Outcome: String, Sendable {
            case passed, failed
            /// The submission differs from what its task requires.
            case evading
            /// The file has errors.
            case wrong
            /// threadlab itself failed.
            case error
            /// Not enough could be tried to accept the submission.
            case undecided
        }

        package var outcome: Outcome
        /// The main problem, as a stable word. Nil: none.
        package var code: String?
        /// The problem in one line.
        package var message: String
        /// The line of the submission with the problem, if it has one.
        package var line: Int?
        /// The details, line by line. Empty if there are none.
        package var lines: [String]
        /// The duration in nanoseconds of real time.
        package var duration: UInt64

        package init(
            _ outcome: Outcome, code: String? = nil, message: String = "", line: Int? = nil, lines: [String] = [],
            duration: UInt64 = 0
        ) {
            self.outcome = outcome
            self.code = code
            self.message = message
            self.line = line
            self.lines = lines
            self.duration = duration
        }
    }
}

extension GradeBook.Assessment {
    /// The assessment of a file with errors.
    ///
    /// - Parameter text: the errors, in one line or more.
    package static func wrong(_ text: String) -> Self {
        // The first number between colons, as in `a.lab:5:2: …`.
        let line = text.firstLine.split(separator: ":").lazy.compactMap { Int($0) }.first
        return Self(.wrong, code: "errors", message: text.firstLine, line: line, lines: text.ownLines)
    }

    /// The assessment of a submission that differs from its task.
    package static func evading(_ differences: [CheckedScenario.Difference]) -> Self {
        let first = differences.first
        return Self(
            .evading, code: first?.code, message: first?.message ?? "", line: first?.line,
            lines: Array(differences.map(\.text.ownLines).joined(separator: [""])))
    }

    /// The assessment of a program that was searched.
    package init(_ checked: CheckedScenario) {
        let lines = CheckStory(checked).lines.map(\.text)
        switch checked.verdict {
        case .asExpected: self.init(.passed)
        case .mismatched(let flaws):
            // A race is named first, because it is often the cause of the other failures.
            let flaw = flaws.first { $0.mismatch.isOfRace } ?? flaws.first
            self.init(
                .failed, code: flaw?.mismatch.code, message: flaw?.mismatch.message ?? "", line: flaw?.mismatch.line,
                lines: lines)
        case .undecided(let flaws):
            self.init(.undecided, code: "undecided", message: flaws.first?.mismatch.message ?? "", lines: lines)
        case .evading(let differences): self = .evading(differences)
        case .wrong(let text), .stale(let text), .lostProof(let text): self = .wrong(text)
        case .error(let text): self.init(.error, code: "error", message: text.firstLine, lines: lines)
        case .notRun: self.init(.error, code: "error", message: "it was not run")
        }
        duration = checked.duration
    }
}

extension Mismatch {
    fileprivate var isOfRace: Bool {
        if case .notAllowed(let sighting, _) = self { sighting.outcome.kind == .race } else { false }
    }

    fileprivate var code: String {
        switch self {
        case .notAllowed(let sighting, _):
            FindingCode.allCases.first { $0.outcome == sighting.outcome.kind }?.rawValue
                ?? sighting.outcome.kind.rawValue
        case .stateNotSeen(let state, _): state.hasPrefix("possible ") ? "possible" : "not-seen"
        case .outcomeNotSeen, .warningNotSeen: "not-seen"
        case .busyWaiting: "busy-waiting"
        case .notRepeatable: "not-repeatable"
        case .notProved, .nothingSeen: "undecided"
        }
    }

    fileprivate var message: String {
        if case .notAllowed(let sighting, _) = self { return sighting.outcome.summary }
        return EvidenceWords.sentence(self)
    }

    fileprivate var line: Int? {
        switch self {
        case .notAllowed(let sighting, _): sighting.place?.line
        // The step and the execution do not matter here.
        case .busyWaiting(.found(_, _, let place), _): place?.line
        case .busyWaiting, .outcomeNotSeen, .stateNotSeen, .warningNotSeen, .notRepeatable, .notProved, .nothingSeen:
            nil
        }
    }
}

extension String {
    fileprivate var ownLines: [String] {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }
}
