import Diagnosis
import Trace

/// The result of `check` for one scenario: its verdict, the evidence for it, and what reports show beside them.
package struct CheckedScenario: Sendable {
    package enum Verdict: Sendable {
        case asExpected
        /// The evidence contradicts the expectation, or lacks something that the expectation requires.
        case mismatched([Flaw])
        /// The text of a submission differs from what its task requires.
        case evading([Difference])
        /// No execution has ended; or the scenario is a submission, and not enough was tried to accept it.
        case undecided([Flaw])
        /// The scenario's file cannot be run. The reason may have several lines.
        case wrong(String)
        /// The scenario is listed as a known failure, but it does not fail or does not exist; with the reason.
        case stale(String)
        /// The scenario is listed as proved, but it no longer is; with the reason.
        case lostProof(String)
        /// threadlab itself failed, with the reason.
        case error(String)
        /// The check was interrupted, or stopped by an earlier failure, before this scenario's turn.
        case notRun
    }

    /// A way in which the evidence is not as expected.
    package struct Flaw: Sendable {
        package var mismatch: Mismatch
        /// The command that shows the mismatch.
        package var command: String

        package init(_ mismatch: Mismatch, command: String) {
            self.mismatch = mismatch
            self.command = command
        }
    }

    /// How a program differs from what a task requires.
    package struct Difference: Sendable {
        /// The stable word for scripts.
        package var code: String
        package var message: String
        package var line: Int
        package var column: Int
        /// The message with its line of source.
        package var text: String

        package init(code: String, message: String, line: Int, column: Int, text: String) {
            self.code = code
            self.message = message
            self.line = line
            self.column = column
            self.text = text
        }
    }

    /// The name: that of a variant, such as `deadlock/ring`, or a file's path, relative to the folder that the user has
    /// chosen for names of files.
    package var name: String
    /// The file's path. Nil: the scenario is not a file.
    package var file: String?
    /// The line with the error in the file, if it is known.
    package var line: Int?
    /// The expectation, as a sentence. Nil if the file is wrong.
    package var expectation: String?
    package var verdict: Verdict
    /// The states that some run must end in or reach, in the order of their numbers in the evidence.
    package var states: [String]
    /// The evidence for each runtime, the controlled one first.
    package var evidence: [Evidence]
    /// The duration in nanoseconds of real time.
    package var duration: UInt64
    /// Its share of the time for the whole check, in nanoseconds, if this was less than the time limit for one
    /// scenario, and did not suffice. Nil otherwise.
    package var allotted: UInt64?
    /// Whether its code has memory that a search does not cover: plain variables of Swift.
    package var hasPlainMemory = false
    /// Whether it is a compiled program. A search covers its variables, except for what the compiler does not report.
    package var isCompiled = false
    /// Whether the failure is listed as known.
    package var isKnown = false
    /// Whether an earlier check made the proof.
    package var isRemembered = false
    /// The file in which the trace of the failure is saved.
    package var trace: String?
    /// The run that shows the failure, a line for each step, if it is to be shown.
    package var lanes: [String] = []
    /// The steps on which the failure depends, if a run shows it.
    package var account: [AccountRow] = []

    package init(
        _ name: String, _ verdict: Verdict, expectation: String? = nil, states: [String] = [],
        evidence: [Evidence] = [], duration: UInt64 = 0
    ) {
        self.name = name
        self.verdict = verdict
        self.expectation = expectation
        self.states = states
        self.evidence = evidence
        self.duration = duration
    }

    /// Whether it counts as proved although its plain variables were not covered.
    var isProvedByStepsAlone: Bool { hasPlainMemory && isProved }

    /// Whether it counts as proved, as far as the compiler reports what it does.
    var isProvedAsCompiled: Bool { isCompiled && isProved }

    /// Whether it passed, and its search tried everything.
    package var isProved: Bool {
        guard case .asExpected = verdict else { return false }
        return evidence.contains { $0.runtime == .controlled && $0.isProof }
    }

    /// Why a search has not proved it. Nil: it has, or there was no search.
    package var reasonWhyNotProved: String? {
        evidence.lazy.filter { $0.runtime == .controlled }.compactMap { evidence -> String? in
            if case .part(let limit) = evidence.extent { EvidenceWords.reason(limit, evidence) } else { nil }
        }.first
    }

    /// Whether the scenario makes the check fail.
    package var isFailure: Bool { verdict.isFailure && !isKnown }

    /// The stable word for scripts.
    package var word: String { isKnown ? "known" : verdict.word }

    /// The name, split into a group and a title for lists of tests: `deadlock` and `ring`.
    var place: (group: String, title: String) {
        guard let slash = name.lastIndex(of: "/") else { return ("threadlab", name) }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }
}

extension CheckedScenario.Verdict {
    /// The stable word for scripts.
    package var word: String {
        switch self {
        case .asExpected: "passed"
        case .mismatched, .stale, .lostProof: "failed"
        case .evading: "evading"
        case .undecided: "undecided"
        case .wrong: "wrong"
        case .error: "error"
        case .notRun: "not-run"
        }
    }

    /// Whether it is a failure, unless the failure is known.
    package var isFailure: Bool {
        switch self {
        case .asExpected, .notRun: false
        case .mismatched, .evading, .undecided, .wrong, .stale, .lostProof, .error: true
        }
    }
}

/// The number of scenarios with each verdict.
package struct CheckTally: Equatable, Sendable {
    package private(set) var passed = 0
    package private(set) var failed = 0
    /// The scenarios of which not enough was tried. They fail the check, too.
    package private(set) var undecided = 0
    package private(set) var wrong = 0
    package private(set) var errors = 0
    package private(set) var notRun = 0
    /// Failures that are listed as known.
    package private(set) var known = 0

    package init(_ scenarios: [CheckedScenario]) {
        for scenario in scenarios {
            if scenario.isKnown {
                known += 1
                continue
            }
            switch scenario.verdict {
            case .asExpected: passed += 1
            case .mismatched, .evading, .stale, .lostProof: failed += 1
            case .undecided: undecided += 1
            case .wrong: wrong += 1
            case .error: errors += 1
            case .notRun: notRun += 1
            }
        }
    }

    var total: Int { passed + known + failed + undecided + wrong + errors + notRun }

    /// Whether everything was checked, and nothing failed but known failures.
    var isGood: Bool { passed + known == total }

    /// For example `43 passed, 1 failed, 1 wrong file`.
    var description: String {
        if total == 0 { return "nothing to check" }
        let parts = [
            "\(passed.grouped) passed",
            known > 0 ? "\(known.grouped) known \(known == 1 ? "failure" : "failures")" : nil,
            failed > 0 ? "\(failed.grouped) failed" : nil,
            undecided > 0 ? "\(undecided.grouped) undecided" : nil,
            wrong > 0 ? "\(wrong.grouped) wrong \(wrong == 1 ? "file" : "files")" : nil,
            errors > 0 ? "\(errors.grouped) not checked because of an error" : nil,
            notRun > 0 ? "\(notRun.grouped) not run" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

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
        case .wrong(let text), .error(let text), .stale(let text), .lostProof(let text):
            lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
                .verbatim(String($0))
            }
        case .evading(let differences):
            lines = Array(
                differences.map { difference in
                    difference.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
                        .verbatim(String($0))
                    }
                }.joined(separator: [.words("")]))
        case .mismatched(let flaws), .undecided(let flaws):
            let trace: [Line] = scenario.trace.map { [.words("Its trace is saved in \($0).")] } ?? []
            let lanes = scenario.lanes.isEmpty ? [] : [Line.words("")] + scenario.lanes.map { .verbatim($0) }
            let account = AccountRow.lines(scenario.account).map { Line.verbatim("    \($0)") }
            lines = flaws.flatMap { Self.lines($0) } + (lanes.isEmpty ? account : []) + trace + lanes
        }
    }

    private static func lines(_ flaw: CheckedScenario.Flaw) -> [Line] {
        var lines = [Line.words(EvidenceWords.sentence(flaw.mismatch))]
        switch flaw.mismatch {
        case .notAllowed(let sighting, _):
            lines += ([sighting.outcome.summary] + sighting.outcome.details).map { .words($0, indent: 2) }
        case .notProved(let limit, _): lines.append(.words(advice(limit), indent: 2))
        case .nothingSeen(let evidence):
            let advice =
                switch ProofWords.remedy(evidence) {
                case .time: "Give it more time (--time 5m; --total-time, if all of that was over), or make it smaller."
                case .steps: advice(.steps)
                case .memory: "It has too many states: make it smaller, or give it more memory (--memory 4096)."
                case nil: "Make it smaller."
                }
            lines.append(.words(advice, indent: 2))
        case .outcomeNotSeen, .stateNotSeen, .warningNotSeen, .notRepeatable, .busyWaiting: break
        }
        return lines + [.verbatim("  \(flaw.command)")]
    }

    /// Advice on how to get a proof.
    private static func advice(_ limit: Extent.Limit) -> String {
        switch limit {
        case .runs: "Raise --runs, or leave it out."
        case .time: "Give it more time (--time 5m), or make the scenario smaller: fewer threads, fewer repetitions."
        case .memory:
            "Give it more memory (--memory 4096), or make the scenario smaller: fewer threads, fewer repetitions."
        case .noNews: "Leave out --runs, so that the search continues."
        case .steps: "Some executions do not end: bound their loops, or wait with 'await' instead of polling."
        case .fatalEnds: "The program must not end its own process."
        case .obstacle, .noProver, .bound, .uncontrolled, .spurious, .weakOrders: "This explains why:"
        case .lockOrder: "A scenario that expects lock-order cannot be proved: list it in a baseline."
        }
    }
}
