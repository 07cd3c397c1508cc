import Authoring
import Console
import Diagnosis
import Judging
import Reports
import Supervision
import Trace

/// Turns the result of a submission's trial (its search against a task) into the form that reports show, with the lanes
/// of a run that refutes it. For `check --against` and `learn grade`.
package struct SubmissionReport {
    let session: Session
    /// The seed of the search.
    let seed: UInt64

    package init(session: Session, seed: UInt64) {
        self.session = session
        self.seed = seed
    }

    package func checked(_ name: String, _ program: any Runnable, _ result: TrialResult) -> CheckedScenario {
        var checked = CheckedScenario(
            name, verdict(on: program, result), expectation: program.expectation.description,
            states: program.soughtStates, evidence: result.evidence, duration: result.duration)
        checked.lanes = lanes(of: TaskVerdict(result, of: program), result)
        return checked
    }

    private func verdict(on program: any Runnable, _ result: TrialResult) -> CheckedScenario.Verdict {
        switch TaskVerdict(result, of: program) {
        case .passed: .asExpected
        case .refuted(let mismatches): .mismatched(flaws(of: program, mismatches))
        case .undecided(let mismatches): .undecided(flaws(of: program, mismatches))
        case .error(let reason), .wrong(let reason): .error(reason)
        case .evading: .error("a submission that evades its task was searched")
        }
    }

    /// The mismatches, each with the command that shows it.
    func flaws(of scenario: any Runnable, _ mismatches: [Mismatch]) -> [CheckedScenario.Flaw] {
        mismatches.map { mismatch in
            let words = scenario.arguments(showing: mismatch, seed: seed)
            return CheckedScenario.Flaw(mismatch, command: "\(session.program) \(words)")
        }
    }

    /// The rows of the run that shows what is wrong; of many, the first or the last. Empty: there is no such run.
    private func lanes(of verdict: TaskVerdict, _ result: TrialResult) -> [String] {
        ShownRun(verdict, result).map { RunExcerpt($0, width: session.textWidth).lines } ?? []
    }
}
