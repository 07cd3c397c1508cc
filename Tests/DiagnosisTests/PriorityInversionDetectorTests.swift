import Diagnosis
import Support
import Testing
import Trace

@Suite struct PriorityInversionDetectorTests {
    private static func script(high: Int, middle: Int, low: Int, work: String) -> String {
        """
        low    thread.priority \(low)
        middle thread.priority \(middle)
        high   thread.priority \(high)
        low    mutex.acquire m :3
        high   mutex.wait m :20

        """ + String(repeating: work, count: 20)
    }

    @Test func `the detector reports the waiting thread, the holder, and the thread that is running meanwhile`() throws
    {
        let script = Self.script(high: 30, middle: 20, low: 10, work: "middle atomic.update x 1\n")
        let finding = try #require(PriorityInversionDetector().findings(in: script).first)
        #expect(finding.code == .priorityInversion)
        #expect(finding.summary == "high waits for low, which cannot run because middle is running.")
        #expect(
            finding.story == [
                "low, priority 10, holds m (taken at Test.swift:3).",
                "high, priority 30, waits for m at Test.swift:20.",
                "middle, priority 20, recorded 20 events while low recorded none.",
            ])
    }

    @Test(
        arguments: [
            script(high: 30, middle: 20, low: 10, work: "middle atomic.update x 1\nlow atomic.update y 1\n"),
            script(high: 30, middle: 30, low: 10, work: "middle atomic.update x 1\n"),
            script(high: 30, middle: 5, low: 10, work: "middle atomic.update x 1\n"),
            script(high: 10, middle: 20, low: 30, work: "middle atomic.update x 1\n"),
        ])
    func
        `the detector keeps silent if the holder gets on, if the third is as important as the waiter, or less than the holder`(
            script: String
        )
    {
        #expect(PriorityInversionDetector().findings(in: script).isEmpty)
    }

    @Test func `an event counts once, however many threads wait for the holder`() throws {
        func findings(events: Int) -> [Finding] {
            let waiters = """
                low    thread.priority 10
                middle thread.priority 20
                high   thread.priority 30
                other  thread.priority 30
                low    mutex.acquire m :3
                high   mutex.wait m :20
                other  mutex.wait m :21

                """
            return PriorityInversionDetector().findings(
                in: waiters + String(repeating: "middle atomic.update x 1\n", count: events))
        }
        #expect(findings(events: 9).isEmpty)
        #expect(
            findings(events: 12).first?.story.last == "middle, priority 20, recorded 12 events while low recorded none."
        )
    }

    @Test func `the detector keeps silent if the mutex lends its holder the priority of the waiting thread`() {
        var trace = Script(Self.script(high: 30, middle: 20, low: 10, work: "middle atomic.update x 1\n")).trace
        trace.objects = trace.objects.map { object in object.map { .init(kind: .inheritingMutex, name: $0.name) } }
        var detector = PriorityInversionDetector()
        let run = detector.consume(all: trace.events)
        #expect(detector.findings(in: Names(trace), run).isEmpty)
    }
}
