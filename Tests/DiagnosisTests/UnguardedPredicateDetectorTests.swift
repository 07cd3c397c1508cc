import Diagnosis
import Support
import Testing

@Suite struct UnguardedPredicateDetectorTests {
    private static let waiting = """
        guest mutex.acquire m
        guest atomic.load open 0 :4
        guest condition.wait opened m :5

        """

    @Test(arguments: [
        waiting + "host atomic.store open 1 :9\nhost condition.signal opened :10",
        // The wait comes after the signal: this wake-up is lost, and would be reported as well.
        "host atomic.store open 1 :9\nhost condition.broadcast opened :10\n" + waiting,
        // Another lock does not help.
        waiting
            + "host mutex.acquire n\nhost atomic.store open 1 :9\nhost mutex.release n\nhost condition.signal opened :10",
    ])
    func `a change of what waiters test, without their mutex, is reported with its signal`(script: String) throws {
        let finding = try #require(UnguardedPredicateDetector().findings(in: script).first)
        #expect(finding.code == .unguardedPredicate && finding.severity == .warning)
        #expect(finding.summary == "host changed open without m, which waiters for opened hold.")
        #expect(finding.story.first == "host changes open at Test.swift:9, and signals opened at Test.swift:10.")
    }

    @Test(arguments: [
        // The mutex is held for the change, and the signal comes later.
        waiting + "host mutex.acquire m\nhost atomic.store open 1\nhost mutex.release m\nhost condition.signal opened",
        // Whoever takes the mutex after the change has waited for threads between their test and their wait.
        waiting + "host atomic.store open 1\nhost mutex.acquire m\nhost mutex.release m\nhost condition.signal opened",
        // Something that no waiter tests.
        waiting + "host atomic.store other 1\nhost condition.signal opened",
        // A signal of another condition.
        waiting + "host atomic.store open 1\nhost condition.signal closed",
        // No thread has waited, so nothing is known of a predicate.
        "host atomic.store open 1\nhost condition.signal opened",
        // A change without a signal.
        waiting + "host atomic.store open 1",
    ])
    func `the detector keeps silent otherwise`(script: String) {
        #expect(UnguardedPredicateDetector().findings(in: script).isEmpty)
    }

    @Test func `a place is reported though something else was changed there before`() {
        let turns = ["other", "open"].map { "host atomic.store \($0) 1 :9\nhost condition.signal opened :10\n" }
        #expect(UnguardedPredicateDetector().findings(in: Self.waiting + turns.joined()).count == 1)
    }

    @Test func `of a change since which its thread has held very many locks nothing is said`() {
        let locks = (0..<20).map { "host mutex.acquire l\($0)\nhost mutex.release l\($0)\n" }.joined()
        let script = Self.waiting + "host atomic.store open 1 :9\n" + locks + "host condition.signal opened :10"
        #expect(UnguardedPredicateDetector().findings(in: script).isEmpty)
    }

    @Test func `a place is reported once`() {
        let turns = String(repeating: "host atomic.store open 1 :9\nhost condition.signal opened :10\n", count: 5)
        #expect(UnguardedPredicateDetector().findings(in: Self.waiting + turns).count == 1)
    }
}
