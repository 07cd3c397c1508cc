import Authoring
import Diagnosis
import Judging
import Reports
import Supervision
import Trace

/// What a trial of a submission has shown, for reports.
struct SubmissionReport {
    let session: Session
    let seed: UInt64

    private static let mostRows = 16

    func checked(_ name: String, _ program: any Runnable, _ result: TrialResult) -> CheckedScenario {
        var checked = CheckedScenario(
            name, verdict(on: program, result), expectation: program.expectation.description,
            states: program.soughtStates, evidence: result.evidence, duration: result.duration)
        checked.lanes = lanes(of: checked, result)
        return checked
    }

    private func verdict(on program: any Runnable, _ result: TrialResult) -> CheckedScenario.Verdict {
        switch TaskVerdict(result, of: program) {
        case .passed: .asExpected
        case .refuted(let mismatches): .mismatched(flaws(of: program, mismatches))
        case .notDecided(let mismatches): .notDecided(flaws(of: program, mismatches))
        case .error(let reason), .wrong(let reason): .error(reason)
        case .evading: .error("a submission that evades its task was searched")
        }
    }

    func flaws(of scenario: any Runnable, _ mismatches: [Mismatch]) -> [CheckedScenario.Flaw] {
        mismatches.map { mismatch in
            let words = scenario.arguments(showing: mismatch, seed: seed)
            return CheckedScenario.Flaw(mismatch, command: "\(session.program) \(words)")
        }
    }

    /// The run that shows the first flaw, or its end, a step a line.
    private func lanes(of checked: CheckedScenario, _ result: TrialResult) -> [String] {
        guard case .mismatched(let flaws) = checked.verdict else { return [] }
        for case .notAllowed(let sighting, _) in flaws.map(\.mismatch) {
            guard let kept = result.traces.first(where: { $0.kind == sighting.outcome.kind }),
                let trace = try? TraceReader.read(kept.content)
            else { continue }
            var options = ReportOptions(width: session.textWidth)
            options.showsOnlyRows = true
            options.mostRows = Self.mostRows
            options.keptRows = .last
            let text = ByteSink.collect { ReportFormat.lanes.write(trace, options, to: &$0) }
            return text.split(whereSeparator: \.isNewline).map(String.init)
        }
        return []
    }
}
