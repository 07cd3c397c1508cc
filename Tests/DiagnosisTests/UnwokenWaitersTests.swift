import Diagnosis
import Support
import Testing
import Trace

/// Why a thread was not woken, from events alone: what a thread waits for is known only as what it had read.
@Suite struct UnwokenWaitersTests {
    private static let waiting = """
        main  thread.join-wait guest :1
        guest mutex.acquire m :10
        guest atomic.load open 0 :11
        guest condition.wait opened m :12
        host  mutex.acquire m :20

        """

    private static let cases: [(script: String, lines: [String])] = [
        ("host mutex.release m", ["What guest had read has not been changed since: open."]),
        (
            "host atomic.store open 1 :21\nhost mutex.release m",
            [
                "What guest had read was changed when host changed open at Test.swift:21, "
                    + "and no thread signaled opened after that.",
                "Signal opened after the change, before the mutex is released.",
            ]
        ),
        (
            "host condition.signal other :19\nhost atomic.store open 1 :21\nhost condition.signal other :22",
            [
                "What guest had read was changed when host changed open at Test.swift:21, "
                    + "and no thread signaled opened after that.",
                "Signal opened after the change, before the mutex is released.",
            ]
        ),
        // A write of the same value changes nothing.
        (
            "host atomic.store open 0 :21\nhost mutex.release m",
            ["What guest had read has not been changed since: open."]
        ),
    ]

    @Test(arguments: cases) func `a stuck waiter is told what happened to what it had read`(
        script: String, lines: [String]
    ) {
        let outcome = OutcomeJudge.outcome(of: Script.trace(Self.waiting + script + "\nhost thread.exit"))
        #expect(outcome.details.suffix(lines.count) == lines[...])
    }

    @Test func `a signal that woke another waiter is named with it, and an earlier one is innocent`() {
        let outcome = OutcomeJudge.outcome(
            of: Script.trace(
                """
                host  condition.signal opened :2
                main  thread.join-wait guest :1
                guest mutex.acquire m :10
                guest atomic.load open 0 :11
                guest condition.wait opened m :12
                other mutex.acquire m :10
                other atomic.load open 0 :11
                other condition.wait opened m :12
                host  mutex.acquire m :20
                host  atomic.store open 1 :21
                host  condition.signal opened :22
                host  mutex.release m :23
                host  thread.exit
                other condition.wake opened m :12
                other mutex.release m
                other thread.exit
                """))
        #expect(
            outcome.details == [
                "main waits at Test.swift:1 for guest to end.",
                "guest waits for a signal of opened at Test.swift:12.",
                "What guest had read was changed when host changed open at Test.swift:21.",
                "The only signal of opened after that, at Test.swift:22, woke other.",
                "A signal wakes one waiter: a change that lets several continue needs a broadcast.",
            ])
    }
}
