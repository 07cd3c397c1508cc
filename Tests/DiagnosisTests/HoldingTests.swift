import Testing

@testable import Diagnosis

@Suite struct HoldingTests {
    // MARK: - While blocked

    @Test func `a detector reports a lock that is kept during a join, and the thread that has to wait for it`() throws {
        let finding = try #require(
            HeldWhileBlockedDetector().findings(
                in: """
                    main thread.create w
                    main mutex.acquire m :3
                    main thread.join-wait w :4
                    v    mutex.wait m :9
                    w    thread.exit
                    main thread.join w :4
                    main mutex.release m
                    """
            ).first)
        #expect(finding.code == .heldWhileBlocked && finding.severity == .warning)
        #expect(
            finding.story == [
                "main holds m (taken at Test.swift:3) and waits at Test.swift:4 for w to end.",
                "v wants m at Test.swift:9, and has to wait too.",
            ])
    }

    @Test(
        arguments: [
            // A condition releases only its own mutex; and the victim may have come before
            (
                "w mutex.acquire a\nw mutex.acquire m\nv mutex.wait a\nw condition.wait c m\nw condition.wake c m",
                .warning
            ),
            ("w mutex.acquire a\nv mutex.wait a\nw semaphore.wait s\nw semaphore.acquire s", .note),
            ("w mutex.acquire a\nv mutex.wait a\nw thread.sleep 5\nw thread.awake", .note),
            // No thread waits
            ("w mutex.acquire a\nw thread.join-wait v\nw thread.join v", .note),
            // It never completed
            ("w mutex.acquire a\nv mutex.wait a\nw semaphore.wait s", .warning),
            ("w mutex.acquire a\nv mutex.wait a\nw semaphore.wait s\nmain run.exit", .note),
        ] as [(String, Severity)])
    func `a finding tells how grave it is`(script: String, severity: Severity) {
        #expect(HeldWhileBlockedDetector().findings(in: script).map(\.severity) == [severity])
    }

    @Test(
        arguments: [
            "w mutex.acquire m\nv mutex.wait m\nw condition.wait c m\nw condition.wake c m",
            "w mutex.acquire a\nw mutex.wait b\nw mutex.acquire b", "w thread.sleep 5\nw thread.awake",
        ])
    func `a detector keeps silent about a wait with nothing else held, and about a wait for a lock`(script: String) {
        #expect(HeldWhileBlockedDetector().findings(in: script).isEmpty)
    }

    // MARK: - Too long

    private static let long = "w mutex.acquire m :3\nv mutex.wait m :9\nw cell.write x 1\nw mutex.release m :5"

    @Test func `a detector reports a lock that is held for half a second while another thread waits`() throws {
        let finding = try #require(HeldTooLongDetector().findings(in: Self.long, step: 300_000_000).first)
        #expect(finding.code == .heldTooLong)
        #expect(finding.summary == "w held m for 900 ms, and others had to wait.")
        #expect(finding.story[1].hasSuffix("for 600 ms of that time."))
    }

    @Test func `a detector is silent about a shorter time, and if no thread waits as long`() {
        #expect(HeldTooLongDetector().findings(in: Self.long, step: 100_000_000).isEmpty)
        let late = "w mutex.acquire m\nw cell.write x 1\nv mutex.wait m\nw mutex.release m"
        #expect(HeldTooLongDetector().findings(in: late, step: 300_000_000).isEmpty)
    }

    // MARK: - Contention

    @Test func `a detector counts how often a lock was taken and waited for, and for how long`() throws {
        let script = """
            w mutex.acquire m
            v mutex.wait m
            w mutex.release m
            v mutex.acquire m
            v mutex.release m
            w mutex.acquire quiet
            w mutex.release quiet
            """
        let findings = ContentionDetector().findings(in: script)
        #expect(findings.map(\.summary) == ["m: 2 acquisitions, 1 of them after a wait."])
        #expect(findings.first?.severity == .note)
        #expect(
            findings.first?.story == [
                "Waited for: median 2 µs, 99th percentile 2 µs, maximum 2 µs.",
                "Held: median 1.023 µs, 99th percentile 2 µs, maximum 2 µs.",
            ])
        #expect(ContentionDetector().findings(in: script, runtime: .controlled).first?.story == [])
    }

    @Test func `a wait that times out is not counted as one before an acquisition`() {
        let script = """
            w mutex.acquire m
            v mutex.wait m
            v mutex.timeout m
            w mutex.release m
            """
        #expect(
            ContentionDetector().findings(in: script).map(\.summary) == [
                "m: 1 acquisition, 0 of them after a wait; 1 wait timed out."
            ])
    }

    @Test func `a detector estimates quantiles of many durations to an eighth`() {
        var durations = Durations()
        for value in 1...100_000 { durations.add(UInt64(value)) }
        for (share, exact) in [(0.5, 50_000.0), (0.99, 99_000), (1, 100_000)] {
            #expect((exact...exact * 1.125).contains(Double(durations.quantile(share))))
        }
        #expect(durations.greatest == 100_000)
        for value: UInt64 in [0, 1, 15, 16, 17, 31, 32, 1 << 40, .max] {
            var one = Durations()
            one.add(value)
            #expect(one.quantile(0.5) == value)
        }
    }
}
