import Authoring
import Diagnosis
import Support
import Testing

@Suite struct FalseAlarmTests {
    /// The variants of which every run ends well.
    static let fixed = ExpectationTests.everyVariant.filter { (try? $0.make().expectation) == .completes }

    @Test(arguments: fixed)
    func `no detector finds fault with a fixed variant`(setting: Setting) throws {
        for seed in Extent.part(of: UInt64(1)...100, every: 3) {
            for finding in try Examination.findings(in: setting.trace(seed: seed)) where finding.severity != .note {
                Issue.record("seed \(seed): \(finding.code.rawValue), \(finding.summary)")
            }
        }
    }

    @Test(
        arguments: [
            ("deadlock --variant opposite-orders --pause 0", FindingCode.lockOrder),
            ("deadlock --variant ring --pause 0", .lockOrder),
            ("producer-consumer --variant if-for-while", .waitWithoutLoop),
        ])
    func `a broken variant shows what is broken in some run that ended well`(line: String, code: FindingCode) throws {
        let setting = Setting(line)
        let isShown = try (1...50).contains { seed in
            let codes = Examination.findings(in: try setting.trace(seed: UInt64(seed))).map(\.code)
            return codes.contains(code) && codes.allSatisfy { $0.outcome == nil || $0 == .lockOrder }
        }
        #expect(isShown)
    }

    @Test func `an urgent thread that waits for an unhurried one's lock is reported with the assertion`() throws {
        for seed: UInt64 in 1...20 {
            let trace = try Setting("priority-inversion").trace(seed: seed)
            let findings = Examination.findings(in: trace).filter { $0.severity != .note }
            #expect(findings.map(\.code) == [.assertion, .priorityInversion])
            #expect(
                findings.last?.summary == "high waits for low, which cannot run because middle is running.")
        }
    }
}
