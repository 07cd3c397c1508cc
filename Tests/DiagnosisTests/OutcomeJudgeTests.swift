import Diagnosis
import Support
import Testing
import Trace

@Suite struct OutcomeJudgeTests {
    @Test(
        arguments: [
            ("main run.exit\nmain run.complete", OutcomeKind.completed),
            ("main thread.create w\nw thread.exit\nmain thread.join w\nmain run.exit\nmain run.complete", .completed),
            ("main run.crash 11", .crash),
            ("main run.killed 9", .crash),
            ("main run.exit\nmain run.crash 11", .crash),
            ("main run.quit 3", .crash),
            ("main run.diverged \"choice 5\"", .interrupted),
            ("main run.interrupted 2", .interrupted),
            ("main note \"hello\"", .interrupted),
            ("main run.timeout 2000000000", .timeout),
            ("main run.step-limit 10000", .timeout),
            ("main assertion.failed \"x is 1\"", .assertion),
            ("main claim.failed \"'always x == 1' does not hold\"", .claim),
            ("main claim.broken \"'always x == 1' does not hold\"", .brokenClaim),
            ("main claim.broken \"'always x == 1'\"\nmain claim.failed \"'never x == 2'\"", .claim),
            ("main run.exit\nmain assertion.failed \"the file is empty\"", .assertion),
            ("main thread.error \"file not found\"\nmain run.exit\nmain run.complete", .error),
            ("main mutex.acquire a\nmain misuse m unlock-not-owner\nmain mutex.release a", .misuse),
            ("w progress.none \"too polite\"", .livelock),
            ("main thread.create w\nmain run.exit\nw thread.cut-off", .leak),
            ("main thread.create w\nw thread.exit\nmain run.exit", .leak),
            ("main cell.write x 1\nw cell.write x 2\nmain run.exit\nmain run.complete", .race),
            ("main mutex.acquire m\nmain mutex.wait m", .deadlock),
            ("main mutex.acquire m\nmain condition.wait c m", .deadlock),
        ])
    func `the judge names how the run ended`(script: String, kind: OutcomeKind) {
        #expect(OutcomeJudge.outcome(of: Script.trace(script)).kind == kind)
    }

    @Test(
        arguments: [
            // The assertion failed first, and so no thread was left to signal
            (
                "w assertion.failed \"no\"\nw thread.exit\nmain mutex.acquire m\nmain condition.wait c m",
                OutcomeKind.assertion
            ),
            // Its error was a result of the assertion
            ("w assertion.failed \"no\"\nw thread.error \"no\"\nmain run.exit", .assertion),
            // A cycle, though the supervisor saw only a time-out
            ("main mutex.acquire m\nmain mutex.wait m\nmain run.timeout 5", .deadlock),
            // The user interrupted it
            ("main mutex.acquire m\nmain mutex.wait m\nmain run.interrupted 2", .interrupted),
            // A leak, which may be meant, hides no race
            ("main thread.create w\nmain cell.write x 1\nw cell.write x 2\nmain run.exit\nw thread.cut-off", .race),
            // Too many steps hide no race; that the time was over says that something was wrong
            ("main cell.write x 1\nw cell.write x 2\nmain run.step-limit 100", .race),
            ("main cell.write x 1\nw cell.write x 2\nmain run.timeout 100", .timeout),
            // A misuse that was caught
            ("main misuse m relock\nmain note \"caught\"\nmain mutex.acquire m\nmain mutex.wait m", .deadlock),
            ("main misuse m relock\nmain run.exit\nmain run.complete", .completed),
            ("w misuse m relock\nw thread.exit\nmain mutex.acquire m\nmain mutex.wait m", .deadlock),
            // Detached, so it may be cut off, waiting or not
            (
                "main thread.create w\nmain thread.detach w\nw semaphore.wait s\nmain run.exit\nw thread.cut-off",
                .completed
            ),
        ])
    func `the judge takes the finding that is nearest to the cause`(script: String, kind: OutcomeKind) {
        #expect(OutcomeJudge.outcome(of: Script.trace(script)).kind == kind)
    }

    @Test(
        arguments: [
            // Two threads at a barrier: the last one has woken the other, and waits again before that one has run
            "main thread.create w\nmain thread.join-wait w\nw mutex.acquire m\nw condition.wait c m\n"
                + "v thread.start\nv mutex.acquire m\nv condition.broadcast c\nv condition.wait c m",
            "w mutex.acquire m\nw condition.wait c m\nmain condition.signal c\nmain thread.join-wait w",
            // One of the two
            "w mutex.acquire m\nw condition.wait c m\nv mutex.acquire m\nv condition.wait c m\n"
                + "main condition.signal c\nmain thread.join-wait w",
            "w semaphore.wait s\nmain semaphore.signal s\nmain thread.join-wait w",
            "w memory.wait\nmain atomic.store x 1\nmain thread.join-wait w",
            "w memory.spin\nmain atomic.store x 1\nmain thread.join-wait w",
        ])
    func `the judge treats no thread as stuck that was about to continue when the time was up`(script: String) {
        #expect(OutcomeJudge.outcome(of: Script.trace(script + "\nmain run.timeout 5")).kind == .timeout)
    }

    @Test(
        arguments: [
            "main mutex.acquire m\nmain condition.wait c m",
            "w mutex.acquire m\nw condition.wait c m\nmain condition.signal c\nw condition.wake c m\n"
                + "w condition.wait c m\nmain thread.join-wait w",
            // The signal went to a waiter that had timed out
            "w mutex.acquire m\nw thread.deadline 5\nw condition.wait c m\nmain condition.signal c\n"
                + "w condition.timeout c m\nw condition.wait c m\nmain thread.join-wait w",
            // No thread was waiting
            "main condition.signal c\nmain mutex.acquire m\nmain condition.wait c m",
            "main semaphore.signal s\nmain semaphore.acquire s\nmain semaphore.wait s",
            // There were permits from the start
            "main semaphore.acquire s\nmain semaphore.acquire s\nmain semaphore.wait s",
        ])
    func `the judge detects the stuck threads when the time was up, also if others were woken before`(script: String) {
        #expect(OutcomeJudge.outcome(of: Script.trace(script + "\nmain run.timeout 5")).kind == .deadlock)
    }

    @Test func `a thread that spins is a livelock if no thread is left to end that, and the outcome says so`() {
        let alone = OutcomeJudge.outcome(of: Script.trace("w thread.start\nw memory.spin\nmain thread.join-wait w"))
        #expect(alone.kind == .livelock)
        #expect(alone.summary.hasPrefix("w spins forever"))
        let script = "w thread.start\nw memory.spin\nv mutex.acquire m\nmain mutex.wait m\nv memory.spin"
        #expect(OutcomeJudge.outcome(of: Script.trace(script)).summary.hasPrefix("w and v spin forever"))
    }

    @Test func `a thread that spins on what may be a flag is not advised to block`() {
        let outcome = OutcomeJudge.outcome(
            of: Script.trace("w thread.start\nw memory.spin f\nmain thread.join-wait w"))
        #expect(outcome.details.last == "Make sure that some thread always writes to f what w waits for.")
    }

    @Test func `a compiled program that kills itself was not killed from outside`() {
        let script = "main run.message \"Fatal error: signal 9 in main of thread 'main'\" :7\nmain run.killed 9"
        #expect(
            OutcomeJudge.outcome(of: Script.trace(script)).summary
                == "The program killed itself at Test.swift:7 (SIGKILL).")
        #expect(
            OutcomeJudge.outcome(of: Script.trace("main run.killed 9")).summary
                == "The program was killed from outside (SIGKILL).")
    }

    @Test func `the judge has a place for every kind of outcome`() {
        #expect(Set(OutcomeJudge.precedence.joined()) == Set(OutcomeKind.allCases))
    }

    @Test func `the judge explains a deadlock thread by thread, with the guide's section`() {
        let outcome = OutcomeJudge.outcome(of: .abba, guide: "Watch Out for Deadlocks and Livelocks")
        #expect(
            outcome
                == Outcome(
                    .deadlock, summary: "first and second wait for each other; neither can ever continue.",
                    details: [
                        "first holds a (taken at Deadlock.swift:21) and waits for b at Deadlock.swift:22, which second holds.",
                        "second holds b (taken at Deadlock.swift:27) and waits for a at Deadlock.swift:28, which first holds.",
                        "Behind them, main waits at Deadlock.swift:32 for first to end.",
                        "If every thread took these locks in the same order, no such cycle could form.",
                    ], guide: "Watch Out for Deadlocks and Livelocks"))
    }

    @Test func `the judge reports a lost signal: the thread that waits, and the one that signaled too early`() {
        let outcome = OutcomeJudge.outcome(
            of: Script.trace(
                """
                main     thread.create consumer   :5
                main     condition.signal changed :7
                main     thread.join-wait consumer :9
                consumer mutex.acquire m          :20
                consumer condition.wait changed m :21
                """))
        #expect(outcome.summary == "consumer waits for a signal that no remaining thread can send.")
        #expect(
            outcome.details == [
                "main waits at Test.swift:9 for consumer to end.",
                "consumer waits for a signal of changed at Test.swift:21.",
                "main signaled changed at Test.swift:7 while no thread was waiting: "
                    + "a condition does not remember signals.",
                "Record the event in a variable, and wait only while the variable says it has not happened.",
            ])
    }

    @Test func `the judge says of a wait for a permit under a lock whom the lock keeps out`() {
        let outcome = OutcomeJudge.outcome(
            of: Script.trace(
                """
                producer mutex.acquire m :20
                producer semaphore.wait room :21
                consumer mutex.wait m :10
                main     thread.join-wait consumer :1
                """))
        #expect(outcome.summary == "producer waits for a permit of room that no remaining thread can give.")
        #expect(
            outcome.details.last
                == "Take the permit of room before m: while producer waits for it and holds m, it keeps out consumer, "
                + "which might give one.")
    }

    @Test func `the judge reports a lock whose holder ended`() {
        let outcome = OutcomeJudge.outcome(
            of: Script.trace("w mutex.acquire m :3\nw thread.exit\nmain mutex.wait m :8"))
        #expect(outcome.summary == "main waits for something that no remaining thread can provide.")
        #expect(outcome.details == ["main waits for m at Test.swift:8, which w still held when it ended."])
    }

    @Test func `a deadlock says of a thread that was killed that it was`() {
        let outcome = OutcomeJudge.outcome(
            of: Script.trace("w mutex.acquire m :3\nw thread.killed\nmain mutex.wait m :8"))
        #expect(outcome.details == ["main waits for m at Test.swift:8, which w still held when it was killed."])
    }

    @Test func `a time-out says which threads are stuck beside those that run`() {
        let outcome = OutcomeJudge.outcome(
            of: Script.trace(
                """
                main  thread.create a   :4
                main  thread.create b   :4
                main  thread.create slow :5
                main  thread.join-wait a :6
                a     semaphore.wait s  :8
                b     semaphore.wait s  :8
                slow  thread.sleep 100  :9
                main  run.timeout 2000000000
                """))
        #expect(
            outcome.summary
                == "The run was still going after 2 s and was stopped. "
                + "a and b are stuck, waiting for s: only slow, which still runs, could signal.")
    }

    @Test func `the judge reports for a time-out what every thread was doing`() {
        let outcome = OutcomeJudge.outcome(
            of: Script.trace(
                """
                main  thread.create spinner   :4
                main  mutex.acquire m         :5
                main  thread.create waiter    :6
                main  atomic.load flag 0      :9
                waiter mutex.wait m           :20
                main  run.timeout 2500000000
                """))
        #expect(
            outcome.summary
                == "The run was still going after 2.5 s and was stopped. It is not deadlocked, but did not end either.")
        #expect(
            outcome.details == [
                "main was running; its last event is atomic.load flag at Test.swift:9.",
                "spinner had not started yet.",
                "waiter waits for m at Test.swift:20, which main holds.",
            ])
    }

    @Test
    func `the judge reports for a time-out that a woken thread needs its mutex, not that a thread holds the condition`()
    {
        let outcome = OutcomeJudge.outcome(
            of: Script.trace(
                """
                consumer mutex.acquire m 1      :8
                consumer condition.wait c m     :9
                producer mutex.acquire m 2      :20
                producer condition.signal c     :21
                main     atomic.load flag 0     :30
                main     run.timeout 2500000000
                """))
        #expect(
            outcome.details.filter { $0.hasPrefix("consumer") } == [
                "consumer was woken from c at Test.swift:9 and waits to lock m again, which producer holds."
            ])
    }

    @Test func `the judge says of several waiters that some were woken, and not which`() {
        let outcome = OutcomeJudge.outcome(
            of: Script.trace(
                """
                a    mutex.acquire m 1      :8
                a    condition.wait c m     :9
                b    mutex.acquire m 2      :8
                b    condition.wait c m     :9
                main mutex.acquire m 3      :20
                main condition.signal c     :21
                main atomic.load flag 0     :30
                main run.timeout 2500000000
                """))
        #expect(
            outcome.details.dropFirst() == [
                "a waits for a signal of c at Test.swift:9 (of 2 waiters, 1 had just been woken).",
                "b waits for a signal of c at Test.swift:9 (of 2 waiters, 1 had just been woken).",
            ])
    }

    @Test func `the judge names the signal of a crash, and what it usually means`() {
        let outcome = OutcomeJudge.outcome(of: Script.trace("w thread.start\nw run.crash 4"))
        #expect(outcome.summary == "The program crashed (SIGILL).")
        #expect(outcome.details.first?.hasPrefix("SIGILL: a check in Swift failed") == true)
    }

    @Test func `the judge treats locks in different orders as an outcome only if asked to`() {
        let trace = Script.trace(LockOrderDetectorTests.oppositeOrders + "\nmain run.exit\nmain run.complete")
        #expect(OutcomeJudge.outcome(of: trace).kind == .completed)
        #expect(OutcomeJudge.outcome(of: trace, judgesLockOrder: true).kind == .lockOrder)
    }

    @Test(arguments: 0..<50)
    func `the judge never crashes, however senseless the events`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var trace = TraceDocument(header: TraceHeader(scenario: "noise", runtime: .native))
        for _ in 0..<200 {
            trace.events.append(
                Event(
                    time: random.next(), thread: ThreadID(Int.random(in: 0...5, using: &random)),
                    kind: EventKind.allCases.randomElement(using: &random) ?? .note,
                    object: ObjectID(Int.random(in: 0...4, using: &random)),
                    value: [0, 1, 2, 3, -1, .min, .max].randomElement(using: &random) ?? 0,
                    site: SiteID(Int.random(in: 0...3, using: &random))))
        }
        #expect(!OutcomeJudge.outcome(of: trace).summary.isEmpty)
        #expect(Examination.findings(in: trace).allSatisfy { $0.story.count <= Finding.longestStory })
    }
}
