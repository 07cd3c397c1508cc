import Testing

@testable import Diagnosis

@Suite struct HandlerLockDetectorTests {
    @Test func `the detector reports a lock that the interrupted thread holds itself`() throws {
        let finding = try #require(
            HandlerLockDetector().findings(
                in: """
                    w mutex.acquire m :3
                    w signal.handler usr1
                    w mutex.wait m :9
                    """
            ).first)
        #expect(finding.code == .lockInHandler && finding.severity == .warning)
        #expect(finding.summary == "w takes m in a signal handler.")
        #expect(
            finding.story == [
                "w locks m at Test.swift:9 in the handler of usr1.",
                "The signal interrupted w, which has held m since it locked it at Test.swift:3: it waits for itself.",
            ])
    }

    @Test func `the detector reports a lock that was free, once`() {
        let findings = HandlerLockDetector().findings(
            in: """
                w signal.handler usr1
                w mutex.acquire m :9
                w mutex.release m
                w signal.handled usr1
                w signal.handler usr1
                w mutex.acquire m :9
                w mutex.release m
                w signal.handled usr1
                """)
        #expect(findings.count == 1)
        let consequence = "If the signal interrupts the thread that holds m, that thread waits for itself."
        #expect(findings.first?.story.last == consequence)
    }

    @Test(
        arguments: [
            "w signal.handler usr1\nv mutex.acquire m\nw signal.handled usr1",
            "w signal.handler usr1\nw signal.handled usr1\nw mutex.acquire m",
            "w signal.handler usr1\nw mutex.busy m", "w signal.take usr1\nw mutex.acquire m",
            "w signal.handler usr1\nw atomic.store f 1\nw signal.handled usr1",
        ])
    func `the detector keeps silent about other threads, other moments, and attempts that failed`(script: String) {
        #expect(HandlerLockDetector().findings(in: script).isEmpty)
    }
}
