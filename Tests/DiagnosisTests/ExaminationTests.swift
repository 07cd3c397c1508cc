import Diagnosis
import Support
import Testing
import Trace

@Suite struct ExaminationTests {
    @Test func `the examination reports the most severe first: faults, warnings, notes`() {
        let trace = Script.trace(
            LockOrderDetectorTests.oppositeOrders
                + "\nfirst mutex.acquire a\nsecond mutex.wait a\nfirst mutex.release a\nsecond mutex.acquire a\n"
                + "main cell.write x 1\nfirst cell.write x 2\nmain run.exit\nmain run.complete")
        #expect(Examination.findings(in: trace).map(\.code) == [.race, .lockOrder, .contention])
    }

    @Test func `the examination omits what a deadlock's story contains`() {
        var trace = Script(LockOrderDetectorTests.oppositeOrders).trace
        trace.events.removeLast(4)
        trace.events += TraceDocument.abba.events.suffix(6)
        let codes = Examination.findings(in: trace).map(\.code)
        #expect(codes.contains(.deadlock) && !codes.contains(.lockOrder))
    }

    @Test func `the examination looks only for what can decide the outcome, if asked to`() {
        let script = "main condition.signal c\nw mutex.acquire m\nw condition.wait c m\nmain thread.join-wait w"
        var short = Examination(isWhole: false)
        let trace = Script.trace(script)
        short.consume(trace.events[...])
        #expect(short.findings(in: Names(trace)).map(\.code) == [.endlessWait])
        #expect(Examination.findings(in: trace).map(\.code) == [.endlessWait, .lostWakeUp])
    }

    @Test func `the examination copes with enormous numbers`() {
        var trace = Script.trace("main thread.create w")
        let cell = ObjectID(4_000_000_000)
        for thread in [ThreadID.main, ThreadID(1)] {
            trace.events.append(Event(time: 0, thread: thread, kind: .mutexAcquire, object: cell))
            trace.events.append(Event(time: 0, thread: thread, kind: .cellWrite, object: cell))
        }
        let race = Examination.findings(in: trace).first { $0.code == .race }
        #expect(race?.objects == [cell])
    }

    @Test func `the examination ignores what threads do after the end of the run`() {
        let trace = Script.trace("main run.timeout 5\nw mutex.acquire m\nv mutex.wait m\nv mutex.acquire m")
        #expect(Examination.findings(in: trace).map(\.code) == [.timeout])
    }

    @Test func `the examination reports detached threads that were cut off`() {
        let trace = Script.trace(
            """
            main thread.create w :3
            main thread.detach w :3
            w    cell.write x 1  :9
            main run.exit
            w    thread.cut-off
            """)
        let finding = Examination.findings(in: trace).first
        #expect(finding?.code == .cutOffThread)
        #expect(
            finding?.story == [
                "main created w at Test.swift:3; its last event is cell.write at Test.swift:9."
            ])
    }

    @Test func `the examination names the use of another thread's object`() {
        let trace = Script.trace("w misuse wrong-thread :4")
        #expect(Examination.findings(in: trace).map(\.code) == [.wrongThread])
        #expect(OutcomeJudge.outcome(of: trace).kind == .misuse)
    }

    @Test func `a misuse is described in sentences, without the word by which traces name it`() {
        let finding = Examination.findings(in: Script.trace("w misuse m unlock-not-owner :4")).first
        #expect(finding?.summary == "w unlocked a lock that it does not hold.")
        #expect(finding?.story == ["This happened at Test.swift:4, with m."])
        #expect(finding?.advice == "Only the thread that has locked a lock may unlock it.")
    }

    @Test func `a use of freed memory has a page of its own, and an exit code that of errors`() {
        for (text, code) in [
            ("uses memory that was freed: block from a.c:1", FindingCode.usedAfterFree),
            ("frees again memory that was freed: block from a.c:1", .usedAfterFree),
            ("exits with code 3", .uncaughtError),
        ] {
            let trace = Script.trace("w thread.fault \"\(text)\" :4")
            #expect(Examination.findings(in: trace).map(\.code) == [code])
            #expect(OutcomeJudge.outcome(of: trace).kind == .error)
        }
    }

    @Test func `lost memory has a page of its own, and is told beside a thread that was never joined`() {
        let lost = "w block.lost \"allocated 4 bytes\" :4\nmain block.more-lost \"It led to 2 more.\""
        let trace = Script.trace("main thread.create w :1\nw thread.exit\nmain run.exit\n\(lost)")
        let findings = Examination.findings(in: trace)
        #expect(findings.map(\.code) == [.leakedMemory, .leakedThread])
        #expect(findings.first?.story == ["w allocated 4 bytes at Test.swift:4.", "It led to 2 more."])
        let outcome = OutcomeJudge.outcome(of: trace)
        #expect(outcome.kind == .leak && outcome.summary.hasPrefix("Memory was lost"))
        #expect(outcome.details.contains("w was never joined or detached."))
    }

    @Test func `the examination limits a long story to twelve lines`() {
        let count = 20
        let taking = (0..<count).map { "t\($0) mutex.acquire m\($0)\n" }
        let waiting = (0..<count).map { "t\($0) mutex.wait m\(($0 + 1) % count)\n" }
        let finding = Examination.findings(in: Script.trace((taking + waiting).joined())).first
        #expect(finding?.story.count == Finding.longestStory)
        #expect(finding?.story.last == "And so on.")
    }
}
