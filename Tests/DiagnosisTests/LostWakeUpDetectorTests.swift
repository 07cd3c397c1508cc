import Diagnosis
import Testing

@Suite struct LostWakeUpDetectorTests {
    @Test func `the detector reports a signal that came between the test and the wait`() throws {
        let finding = try #require(
            LostWakeUpDetector().findings(
                in: """
                    waiter mutex.acquire m :5
                    waiter atomic.load flag 0 :6
                    setter atomic.store flag 1 :20
                    setter condition.signal ready :21
                    waiter condition.wait ready m :7
                    """
            ).first)
        #expect(finding.code == .lostWakeUp)
        #expect(finding.summary == "setter's signal of ready came before waiter waited for it, and was lost.")
        #expect(
            finding.story == [
                "waiter reads flag at Test.swift:6.",
                "setter signals ready at Test.swift:21 while no thread is waiting: "
                    + "a condition does not remember signals.",
                "waiter waits for ready at Test.swift:7, and is never woken.",
            ])
    }

    @Test(arguments: [
        // It held the mutex, and may have tested something that the trace does not show
        (
            "waiter mutex.acquire m\nsetter condition.signal c\nwaiter condition.wait c m",
            "Hold m while you change what waiter waits for"
        ),
        (
            "waiter mutex.acquire n\nsetter condition.signal c\nwaiter mutex.acquire m\nwaiter condition.wait c m",
            "Record the event"
        ),
    ])
    func `what would have helped depends on whether the waiter held its mutex at the signal`(
        script: String, advice: String
    ) throws {
        let finding = try #require(LostWakeUpDetector().findings(in: script).first)
        #expect(finding.advice?.hasPrefix(advice) == true)
    }

    @Test(
        arguments: [
            // Nothing was read, and the run is stuck
            "setter condition.signal c\nwaiter mutex.acquire m\nwaiter condition.wait c m",
            // The wait was ended by its limit
            "waiter mutex.acquire m\nwaiter cell.read x 0\nsetter condition.broadcast c\nwaiter thread.deadline 5\n"
                + "waiter condition.wait c m\nwaiter condition.timeout c m\nmain run.exit\nmain run.complete",
        ])
    func `the detector reports a lost signal before which nothing was read, and one whose waiter has a limit`(
        script: String
    ) {
        #expect(LostWakeUpDetector().findings(in: script).count == 1)
    }

    @Test(
        arguments: [
            // The test is later than the signal
            "setter condition.signal c\nwaiter mutex.acquire m\nwaiter cell.read x 0\nwaiter condition.wait c m",
            // A thread waited
            "v mutex.acquire m\nv condition.wait c m\nwaiter mutex.acquire m\nwaiter cell.read x 0\n"
                + "setter condition.signal c\nwaiter condition.wait c m",
            // It was woken in the end
            "waiter mutex.acquire m\nwaiter cell.read x 0\nsetter condition.signal c\nwaiter condition.wait c m\n"
                + "setter condition.signal c\nwaiter condition.wake c m",
            // It tested again after it had been woken
            "waiter mutex.acquire m\nwaiter cell.read x 0\nsetter condition.signal c\nwaiter condition.wait c m\n"
                + "setter condition.signal c\nwaiter condition.wake c m\nwaiter cell.read x 0\nwaiter condition.wait c m",
            // It waits forever, but the run completed
            "setter condition.signal c\nwaiter mutex.acquire m\nwaiter condition.wait c m\nmain run.exit",
            // Another condition
            "waiter mutex.acquire m\nwaiter cell.read x 0\nsetter condition.signal d\nwaiter condition.wait c m",
        ])
    func `the detector keeps silent where no signal was lost`(script: String) {
        #expect(LostWakeUpDetector().findings(in: script).isEmpty)
    }
}
