import Support
import Testing
import Trace

@testable import Diagnosis

@Suite struct CauseFinderTests {
    /// As `kind: n -> m`, the events counted from 1.
    private func causes(_ lines: String) -> [String] {
        var finder = CauseFinder()
        return Script.trace(lines).events.enumerated().flatMap { index, event -> [String] in
            finder.consume(event)
            return finder.causes.map { "\($0.kind): \($0.event + 1) -> \(index + 1)" }
        }
    }

    @Test func `a signal leads to the thread that it woke, also if that has to wait for the mutex`() {
        #expect(
            causes(
                """
                a mutex.acquire m 1
                a condition.wait c m
                b mutex.acquire m 2
                b condition.signal c
                a mutex.wait m
                b mutex.release m
                a condition.wake c m
                """) == ["lock: 2 -> 3", "signal: 4 -> 7", "lock: 6 -> 7"])
    }

    @Test func `a signal wakes one waiter, a broadcast all, and neither one that came later or timed out`() {
        let waits = """
            a condition.wait c m
            b condition.wait c m

            """
        #expect(
            causes(waits + "main condition.signal c\nb condition.wake c m\na condition.wake c m").filter {
                $0.hasPrefix("signal")
            } == ["signal: 3 -> 4"])
        #expect(
            causes(waits + "main condition.broadcast c\nb condition.wake c m\na condition.wake c m").filter {
                $0.hasPrefix("signal")
            } == ["signal: 3 -> 4", "signal: 3 -> 5"])
        #expect(causes("main condition.signal c\na condition.wait c m\na condition.wake c m") == [])
        #expect(causes("a condition.wait c m\nmain condition.signal c\na condition.timeout c m") == [])
    }

    @Test func `a writer follows the last reader, readers follow the writer`() {
        #expect(
            causes(
                """
                w rwlock.write-acquire l 1
                w rwlock.write-release l
                a rwlock.read-acquire l 2
                b rwlock.read-acquire l 3
                a rwlock.read-release l
                b rwlock.read-release l
                w rwlock.write-acquire l 4
                """) == ["lock: 2 -> 3", "lock: 2 -> 4", "lock: 6 -> 7"])
    }

    @Test func `a creation leads to the start, and an end to the join`() {
        #expect(
            causes("main thread.create w\nw thread.start\nw thread.exit\nmain thread.join w")
                == ["creation: 1 -> 2", "end: 3 -> 4"])
    }

    @Test func `a permit leads to the thread that takes it`() {
        #expect(
            causes("main semaphore.signal s\na semaphore.wait s\nmain semaphore.signal s\na semaphore.acquire s")
                == ["permit: 3 -> 4"])
    }

    @Test func `a thread is not its own cause`() {
        #expect(causes("a mutex.acquire m 1\na mutex.release m\na mutex.acquire m 2") == [])
    }

    /// The rule of what orders what is HappensBefore's; this one only finds the event.
    @Test(arguments: [TraceDocument.handOver, .abba]) func `whatever hands over is ordered before, a signal excepted`(
        trace: TraceDocument
    ) {
        var finder = CauseFinder()
        var clocks = EventClocks()
        var own: [UInt32] = []
        for event in trace.events {
            finder.consume(event)
            clocks.consume(event, counts: true)
            let clock = clocks.clock(of: event.thread)
            own.append(clock.first { $0.thread == event.thread }?.time ?? 0)
            for cause in finder.causes where cause.kind != .signal {
                #expect(clock.first { $0.thread == cause.thread }?.time ?? 0 >= own[cause.event])
            }
        }
    }
}
