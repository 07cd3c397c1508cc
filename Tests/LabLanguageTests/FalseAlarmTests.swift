import Diagnosis
import Support
import Testing

@Suite struct FalseAlarmTests {
    @Test(
        "no detector finds fault with a program that always ends well",
        arguments: Repository.completingPrograms.map(\.path))
    func silent(path: String) throws {
        let text = try #require(Repository.text(of: path))
        // A file that only runs a built-in scenario has no program of its own.
        guard let runner = try? LabRunner(text) else { return }
        for seed: UInt64 in 1...100 {
            let findings = Examination.findings(in: runner.controlled(seed: seed).document)
            for finding in findings where finding.severity != .note {
                Issue.record("seed \(seed): \(finding.code.rawValue), \(finding.summary)")
            }
        }
    }

    @Test("there are programs that always end well")
    func notVacuous() { #expect(Repository.completingPrograms.count > 60) }
}
