import Diagnosis
import Trace

/// The result of checking one scenario.
package struct CheckedScenario: Sendable {
    package enum Verdict: Sendable {
        case asExpected
        case mismatched([Flaw])
        /// Its file cannot be run; the reason may have several lines.
        case wrong(String)
        /// It is listed as a known failure, but does not fail, or does not exist; with the reason.
        case stale(String)
        /// threadlab itself failed, with the reason.
        case error(String)
        /// The check was interrupted, or stopped by an earlier failure, before its turn.
        case notRun
    }

    package struct Flaw: Sendable {
        package var mismatch: Mismatch
        /// The command that shows it.
        package var command: String

        package init(_ mismatch: Mismatch, command: String) {
            self.mismatch = mismatch
            self.command = command
        }
    }

    /// `deadlock/ring`, or a file's path.
    package var name: String
    /// The expectation, as a sentence. Nil if the file is wrong.
    package var expectation: String?
    package var verdict: Verdict
    /// States that some run must end in, in the order in which the evidence numbers them.
    package var states: [String]
    /// One for each runtime, the controlled one first.
    package var evidence: [Evidence]
    /// In nanoseconds of real time.
    package var duration: UInt64
    /// Whether its own code has memory that a search does not see: plain variables of Swift.
    package var hasPlainMemory = false
    /// Whether the failure is listed as a known one.
    package var isKnown = false
    /// Whether the proof is that of an earlier check.
    package var isRemembered = false
    /// The file in which the trace of the failure is saved.
    package var trace: String?

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

    /// Whether it is called proved, and its plain variables were not looked at.
    var isProvedByStepsAlone: Bool {
        guard hasPlainMemory, case .asExpected = verdict else { return false }
        return evidence.contains { $0.runtime == .controlled && $0.isProof }
    }

    /// Whether the check fails because of it.
    package var isFailure: Bool { verdict.isFailure && !isKnown }

    /// The stable word for scripts.
    package var word: String { isKnown ? "known" : verdict.word }

    /// The names of its group and of itself in a list of tests.
    var place: (group: String, title: String) {
        guard let slash = name.lastIndex(of: "/") else { return ("threadlab", name) }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }
}

extension CheckedScenario.Verdict {
    /// The stable word for scripts.
    fileprivate var word: String {
        switch self {
        case .asExpected: "passed"
        case .mismatched, .stale: "failed"
        case .wrong: "wrong"
        case .error: "error"
        case .notRun: "not-run"
        }
    }

    /// Whether it fails, as far as it is not known.
    package var isFailure: Bool {
        switch self {
        case .asExpected, .notRun: false
        case .mismatched, .wrong, .stale, .error: true
        }
    }
}
