import Diagnosis
import Support
import Testing
import Trace

@Suite struct LivelockDetectorTests {
    /// Each takes a lock, finds the other's taken, and releases its own.
    private static let politeTurn = """
        first  mutex.acquire a :3
        second mutex.acquire b :13
        first  mutex.busy b :4
        second mutex.busy a :14
        first  mutex.release a :5
        second mutex.release b :15

        """

    private static func turns(_ count: Int) -> String { String(repeating: politeTurn, count: count) }

    @Test func `the detector reports threads that return to the same situation until the run is given up`() throws {
        let findings = LivelockDetector().findings(
            in: Self.turns(100) + "main run.step-limit 600", runtime: .controlled)
        let finding = try #require(findings.first)
        #expect(finding.code == .livelock && finding.severity == .warning)
        #expect(finding.summary.hasPrefix("first and second seem to make no progress: "))
        #expect(finding.story.count == 3)
        #expect(finding.story[2].contains("do not show the threads' own variables"))
        #expect(finding.story[0].hasSuffix("attempts failed, the last on b at Test.swift:4."))
    }

    struct Struggle: CustomTestStringConvertible {
        var testDescription: String
        /// One turn of the cycle.
        var turn: String
        var advice: String
    }

    static let struggles = [
        Struggle(testDescription: "locks", turn: politeTurn, advice: "Take the locks in one order"),
        Struggle(
            testDescription: "permits", turn: "first semaphore.busy s :4\nfirst thread.yield :5\n",
            advice: "Wait for a permit of s"),
        Struggle(
            testDescription: "a compare-exchange, beside one that looks",
            turn: "first atomic.mismatch x 1 :4\nsecond atomic.load y 1 :9\n",
            advice: "Make sure that some thread stores the value that the compare-exchange of x"),
        Struggle(
            testDescription: "loops that look at two atomics",
            turn: "first atomic.load x 0 :4\nfirst thread.yield :5\nsecond atomic.load y 0 :9\n",
            advice: "Make sure that some thread changes x and y whatever"),
        Struggle(
            testDescription: "a spin lock of its own", turn: "first atomic.update x 1 :4\nfirst thread.yield :5\n",
            advice: "Make sure that some thread changes x whatever"),
        Struggle(
            testDescription: "a cell", turn: "first cell.read x 0 :4\nsecond cell.read x 0 :9\n",
            advice: "Make sure that some thread changes x whatever"),
    ]

    @Test(arguments: struggles)
    func `the detector advises by what the threads fail at`(struggle: Struggle) throws {
        let script = String(repeating: struggle.turn, count: 200) + "main run.step-limit 600"
        let finding = try #require(LivelockDetector().findings(in: script, runtime: .controlled).first)
        let advice = try #require(finding.advice)
        #expect(advice.hasPrefix(struggle.advice))
        #expect(advice.contains("lock") == (struggle.testDescription == "locks"))
    }

    @Test func `the run itself reports no progress: one fault, with the cycle in its story`() throws {
        let turns = String(repeating: "first atomic.load x 0 :4\nfirst thread.yield :5\n", count: 100)
        let trace = Script(turns + "first progress.none \"the same state\"", runtime: .controlled).trace
        let findings = Examination.findings(in: trace).filter { $0.code == .livelock }
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.severity == .fault)
        #expect(finding.story.contains { $0.hasSuffix("and kept reading x at Test.swift:4.") })
        #expect(finding.advice?.hasPrefix("Make sure that some thread changes x") == true)
        #expect(OutcomeJudge.outcome(of: trace).kind == .livelock)
    }

    private static let spin = "main atomic.load turn 0 :3\n"

    private static func works(_ range: Range<Int>) -> String {
        range.map { "w atomic.update turn \($0) :4\n" }.joined()
    }

    @Test(
        arguments: [
            // At first only one thread had a processor; then both work.
            String(repeating: spin, count: 3000) + works(1..<2000),
            // The same, and near the end it spins again.
            String(repeating: spin, count: 3000) + works(1..<2000) + String(repeating: spin, count: 300),
            // The other thread has not begun, sleeps, or waits with a time limit.
            "main thread.create w\n" + String(repeating: spin, count: 500),
            "w thread.start\nw thread.sleep 1000\n" + String(repeating: spin, count: 500),
            "w thread.start\nw thread.deadline 1000\nw semaphore.wait s\n" + String(repeating: spin, count: 500),
            // It says that it makes progress.
            String(repeating: spin + "main thread.progress :5\n", count: 500),
        ])
    func `the detector keeps silent about a run that has left the situation, or can leave it`(script: String) {
        #expect(LivelockDetector().findings(in: script + "main run.timeout 5").isEmpty)
    }

    @Test(
        arguments: ["", "w thread.start\nw semaphore.wait s\n", "w thread.start\nw thread.exit\n"])
    func `the detector speaks of a thread that spins while all others wait for it`(beginning: String) throws {
        let script = beginning + String(repeating: Self.spin, count: 500) + "main run.timeout 5"
        let finding = try #require(LivelockDetector().findings(in: script).first)
        #expect(finding.summary.hasPrefix("main seems to make no progress: until it was stopped, the run kept "))
    }

    @Test func `the detector finds a cycle that begins late`() {
        let start = (0..<300).map { "first cell.write x \($0)" }.joined(separator: "\n") + "\n"
        let script = start + Self.turns(200) + "main run.timeout 5"
        #expect(LivelockDetector().findings(in: script).count == 1)
    }

    @Test(
        arguments: [
            turns(100) + "main run.exit",
            (0..<300).map { "first cell.write x \($0) :3\nfirst cell.read x \($0) :4" }.joined(separator: "\n")
                + "\nmain run.timeout 5",
            turns(5) + "main run.timeout 5",
        ])
    func `the detector keeps silent if the run came to its end, if the memory moves on, or after a few turns`(
        script: String
    ) {
        #expect(LivelockDetector().findings(in: script).isEmpty)
    }
}
