import Diagnosis
import Testing

@Suite struct StarvationDetectorTests {
    private static func turns(_ count: Int) -> String {
        String(repeating: "greedy mutex.release m\ngreedy mutex.acquire m :3\n", count: count)
    }

    private static let start = "greedy mutex.acquire m\nmodest mutex.wait m :9\n"

    @Test func `the detector reports a thread that waits while another takes the lock again a hundred times`() throws {
        let findings = StarvationDetector().findings(
            in: Self.start + Self.turns(150) + "greedy mutex.release m\nmodest mutex.acquire m", runtime: .controlled)
        let finding = try #require(findings.first)
        #expect(finding.code == .starvation)
        #expect(finding.summary == "modest waited for m while others took it again 149 times.")
        #expect(
            finding.story == [
                "modest waits for m at Test.swift:9.",
                "greedy was the last of them to take it at Test.swift:3.",
            ])
    }

    @Test func `the detector reports a thread that still waits when the run ends`() {
        let script = Self.start + Self.turns(150) + "main run.timeout 5"
        #expect(StarvationDetector().findings(in: script, runtime: .controlled).count == 1)
    }

    @Test func `on real threads it has to last: a hundred turns pass while a thread wakes up`() {
        let script = Self.start + Self.turns(150) + "modest mutex.acquire m"
        #expect(StarvationDetector().findings(in: script, step: 1_000).isEmpty)
        #expect(StarvationDetector().findings(in: script, step: 1_000_000).count == 1)
    }

    /// 300 threads queue up for the object, and each gets it once: in the order of their arrival, or the first to
    /// arrive comes last.
    private static func crowd(_ wait: String, _ take: String, _ release: String, isFair: Bool) -> String {
        let threads = (0..<300).map { "t\($0)" }
        let order = isFair ? threads : threads.dropFirst() + [threads[0]]
        return threads.map { "\($0) \(wait) m\n" }.joined()
            + order.map { "\($0) \(take) m\n\($0) \(release) m\n" }.joined()
    }

    private static let kinds = [
        ["mutex.wait", "mutex.acquire", "mutex.release"], ["semaphore.wait", "semaphore.acquire", "semaphore.signal"],
        ["rwlock.write-wait", "rwlock.write-acquire", "rwlock.write-release"],
    ]

    @Test(arguments: kinds, [true, false])
    func `one of many threads that each take a thing once does not starve`(kinds: [String], isFair: Bool) {
        let script = Self.crowd(kinds[0], kinds[1], kinds[2], isFair: isFair)
        #expect(StarvationDetector().findings(in: script, runtime: .controlled).isEmpty)
        #expect(StarvationDetector().findings(in: script, step: 1_000_000).isEmpty)
    }

    @Test(arguments: [(106, 1), (105, 0)])
    func `several threads starve another one together`(turns: Int, count: Int) {
        let turns = (0..<turns).map { "t\($0 % 6) mutex.acquire m\nt\($0 % 6) mutex.release m\n" }.joined()
        let script =
            "greedy mutex.acquire m\nmodest mutex.wait m\ngreedy mutex.release m\n" + turns + "modest mutex.acquire m"
        #expect(StarvationDetector().findings(in: script, runtime: .controlled).count == count)
    }

    @Test func `a wait that begins in the middle of another one's is counted from its own beginning`() throws {
        let script =
            "greedy mutex.acquire m\nearly mutex.wait m\n" + Self.turns(90) + "late mutex.wait m\n" + Self.turns(90)
            + "greedy mutex.release m\nlate mutex.acquire m\nlate mutex.release m\nearly mutex.acquire m"
        let findings = StarvationDetector().findings(in: script, runtime: .controlled)
        #expect(findings.map(\.summary) == ["early waited for m while others took it again 179 times."])
    }

    @Test func `the detector is silent about a few turns, and about turns with a new wait for each`() {
        let fair = String(
            repeating: "modest mutex.wait m\ngreedy mutex.release m\nmodest mutex.acquire m\ngreedy mutex.wait m\n"
                + "modest mutex.release m\ngreedy mutex.acquire m\n", count: 300)
        for script in [Self.start + Self.turns(20), "greedy mutex.acquire m\n" + fair] {
            #expect(StarvationDetector().findings(in: script, runtime: .controlled).isEmpty)
        }
    }
}
