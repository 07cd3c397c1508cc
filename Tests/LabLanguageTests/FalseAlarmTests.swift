import Diagnosis
import Support
import Testing

@Suite struct FalseAlarmTests {
    @Test(
        arguments: Repository.completingPrograms.map(\.path))
    func `no detector finds fault with a program that always ends well`(path: String) throws {
        let text = try #require(Repository.text(of: path))
        // A file that only runs a built-in scenario has no program of its own.
        guard let runner = try? LabRunner(text) else { return }
        for seed in Extent.part(of: UInt64(1)...100, every: 3) {
            let findings = Examination.findings(in: runner.controlled(seed: seed).document)
            for finding in findings where finding.severity != .note {
                Issue.record("seed \(seed): \(finding.code.rawValue), \(finding.summary)")
            }
        }
    }

    @Test func `there are programs that always end well`() { #expect(Repository.completingPrograms.count > 60) }
}
