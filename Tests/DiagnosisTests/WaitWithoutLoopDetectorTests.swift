import Diagnosis
import Testing

@Suite struct WaitWithoutLoopDetectorTests {
    /// Up to the moment when the guest has been woken.
    private static let woken = """
        guest mutex.acquire m :4
        guest cell.read loaves 0 :5
        guest condition.wait baked m :5
        baker mutex.acquire m :20
        baker cell.write loaves 1 :21
        baker condition.signal baked :22
        baker mutex.release m :23
        guest condition.wake baked m :5

        """

    @Test func `the detector reports a thread that was woken and changed what it had read, without another test`()
        throws
    {
        let finding = try #require(
            WaitWithoutLoopDetector().findings(in: Self.woken + "guest cell.write loaves 0 :6").first)
        #expect(finding.code == .waitWithoutLoop)
        #expect(
            finding.story == [
                "guest reads loaves at Test.swift:5, then waits for baked at Test.swift:5.",
                "baker was the last to change loaves at Test.swift:21.",
                "Once woken, guest changes loaves at Test.swift:6.",
            ])
    }

    @Test(
        arguments: [
            // A read that is only the first half of a change
            "guest cell.read loaves 1 :6\nguest cell.write loaves 0 :6",
            "guest atomic.update loaves 0 :6",
            "guest assertion.failed \"no bread\" :6",
            "guest cell.read butter 1 :6\nguest mutex.release m\nguest thread.exit",
        ])
    func `the detector treats a use without another test as continuing`(rest: String) {
        #expect(WaitWithoutLoopDetector().findings(in: Self.woken + rest).count == 1)
    }

    @Test(
        arguments: [
            // The loop's own line
            "guest cell.read loaves 1 :5\nguest cell.read loaves 1 :6\nguest cell.write loaves 0 :6",
            // After something else in the loop
            "guest cell.read wakings 0 :7\nguest cell.write wakings 1 :7\nguest cell.read loaves 1 :5\n"
                + "guest cell.write loaves 0 :6",
            // All of it, somewhere else
            "guest cell.read loaves 1 :9\nguest mutex.release m\nguest cell.write loaves 0 :10",
            // The loop is around the lock
            "guest mutex.release m :8\nguest mutex.acquire m :4\nguest cell.read loaves 1 :5\n"
                + "guest cell.write loaves 0 :6",
            // It waits again, and the run ends
            "guest condition.wait baked m :5",
        ])
    func `the detector takes another read, or another wait, for a look`(rest: String) {
        #expect(WaitWithoutLoopDetector().findings(in: Self.woken + rest).isEmpty)
    }

    @Test func `the detector does not judge waits that timed out, or before which nothing was read`() {
        let start = "guest mutex.acquire m\n"
        let timeout = start + "guest cell.read x 0 :5\nguest condition.wait c m\nguest condition.timeout c m\n"
        let blind = start + "guest condition.wait c m\nguest condition.wake c m\n"
        for script in [timeout, blind] {
            #expect(WaitWithoutLoopDetector().findings(in: script + "guest cell.write x 1 :6").isEmpty)
        }
    }

    @Test func `the detector reports each wait once`() {
        let turn = Self.woken + "guest cell.write loaves 0 :6\nguest mutex.release m\n"
        #expect(WaitWithoutLoopDetector().findings(in: turn + turn).count == 1)
    }
}
