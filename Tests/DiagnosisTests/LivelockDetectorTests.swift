import Diagnosis
import Testing

@Suite("The livelock detector")
struct LivelockDetectorTests {
    /// Each takes a lock, finds the other's taken, and gives its own back.
    private static let politeTurn = """
        first  mutex.acquire a :3
        second mutex.acquire b :13
        first  mutex.busy b :4
        second mutex.busy a :14
        first  mutex.release a :5
        second mutex.release b :15

        """

    private static func turns(_ count: Int) -> String { String(repeating: politeTurn, count: count) }

    @Test("tells threads that come back to the same situation until the run is given up")
    func circle() throws {
        let findings = LivelockDetector().findings(
            in: Self.turns(100) + "main run.step-limit 600", runtime: .controlled)
        let finding = try #require(findings.first)
        #expect(finding.code == .livelock && finding.severity == .warning)
        #expect(finding.summary.hasPrefix("first and second go in circles: "))
        #expect(finding.story.count == 2)
        #expect(finding.story[0].hasSuffix("attempts came to nothing, the last on b at Test.swift:4."))
    }

    @Test("sees a circle that begins late")
    func late() {
        let start = (0..<300).map { "first cell.write x \($0)" }.joined(separator: "\n") + "\n"
        let script = start + Self.turns(200) + "main run.timeout 5"
        #expect(LivelockDetector().findings(in: script).count == 1)
    }

    @Test(
        "keeps silent if the run came to its end, if the memory moves on, or after a few turns",
        arguments: [
            turns(100) + "main run.exit",
            (0..<300).map { "first cell.write x \($0) :3\nfirst cell.read x \($0) :4" }.joined(separator: "\n")
                + "\nmain run.timeout 5",
            turns(5) + "main run.timeout 5",
        ])
    func silent(script: String) {
        #expect(LivelockDetector().findings(in: script).isEmpty)
    }
}
