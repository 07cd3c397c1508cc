import Diagnosis
import Testing

@Suite("The starvation detector")
struct StarvationDetectorTests {
    private static func turns(_ count: Int) -> String {
        String(repeating: "greedy mutex.release m\ngreedy mutex.acquire m :3\n", count: count)
    }

    private static let start = "greedy mutex.acquire m\nmodest mutex.wait m :9\n"

    @Test("tells a thread that waits while another takes the lock a hundred times")
    func starving() throws {
        let findings = StarvationDetector().findings(
            in: Self.start + Self.turns(150) + "greedy mutex.release m\nmodest mutex.acquire m", runtime: .controlled)
        let finding = try #require(findings.first)
        #expect(finding.code == .starvation)
        #expect(finding.summary == "modest waited for m while others took it 150 times.")
        #expect(
            finding.story == [
                "modest waits for m at Test.swift:9.",
                "greedy is the last of the others to take it at Test.swift:3.",
            ])
    }

    @Test("also if it waits still when the run ends")
    func stillWaiting() {
        let script = Self.start + Self.turns(150) + "main run.timeout 5"
        #expect(StarvationDetector().findings(in: script, runtime: .controlled).count == 1)
    }

    @Test("on real threads it has to last: a hundred turns pass while a thread wakes up")
    func native() {
        let script = Self.start + Self.turns(150) + "modest mutex.acquire m"
        #expect(StarvationDetector().findings(in: script, step: 1_000).isEmpty)
        #expect(StarvationDetector().findings(in: script, step: 1_000_000).count == 1)
    }

    @Test("keeps silent about a few turns, and about turns of which each is waited for anew")
    func fair() {
        let fair = String(
            repeating: "modest mutex.wait m\ngreedy mutex.release m\nmodest mutex.acquire m\ngreedy mutex.wait m\n"
                + "modest mutex.release m\ngreedy mutex.acquire m\n", count: 300)
        for script in [Self.start + Self.turns(20), "greedy mutex.acquire m\n" + fair] {
            #expect(StarvationDetector().findings(in: script, runtime: .controlled).isEmpty)
        }
    }
}
