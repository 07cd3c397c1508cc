import Support
import Testing
import Trace

@testable import Diagnosis

/// What a stranger's trace makes an examination keep and look at is bounded: by what is counted, not by the clock.
@Suite struct TracePartTests {
    /// So many threads, with a note each.
    private static func crowd(_ count: Int) -> TraceDocument {
        var trace = TraceDocument(header: TraceHeader(scenario: "crowd", runtime: .native))
        trace.threads = (0..<count).map { .init(name: "t\($0)") }
        trace.texts = ["a"]
        trace.events = (0..<count).map { Event(time: 0, thread: ThreadID($0), kind: .note, value: 0) }
        return trace
    }

    /// One thread that takes so many mutexes.
    private static func hoarder(_ count: Int) -> TraceDocument {
        var trace = TraceDocument(header: TraceHeader(scenario: "hoarder", runtime: .native))
        for number in 0..<count { trace.objects.append(.init(kind: .mutex, name: "m\(number)")) }
        trace.events = (0..<count).map {
            Event(time: 0, thread: .main, kind: .mutexAcquire, object: ObjectID($0 + 1), value: 1)
        }
        return trace
    }

    @Test func `the clocks of very many threads are not made`() {
        let part = TracePart(Self.crowd(1 << 16)).trace
        #expect((1_000...10_000).contains(part.events.count))
        #expect(part.events.count + part.omitted == 1 << 16)
        #expect(part.threads.count == part.events.count)
        #expect(part.threads.count * part.threads.count * 4 <= TracePart.Limits().clockWords)
    }

    @Test func `what a thread holds at each of its steps is looked at only so often`() {
        var limits = TracePart.Limits()
        limits.work = 1 << 20
        let part = TracePart(Self.hoarder(20_000), within: limits).trace
        let held = part.events.count
        #expect(held < 20_000 && held * (held + 1) / 2 <= limits.work)
        #expect((held + 2) * (held + 5) / 2 >= limits.work)
        #expect(part.objects.count == held + 1)
    }

    @Test func `writes that are not seen are counted once for each step`() {
        var trace = TraceDocument(header: TraceHeader(scenario: "weak", runtime: .controlled))
        trace.objects.append(.init(kind: .atomic, name: "a"))
        func add(_ kind: EventKind, _ value: Int64) {
            trace.events.append(Event(time: 0, thread: .main, kind: kind, object: ObjectID(1), value: value))
        }
        add(.memoryModel, 1)
        for number in 0..<1000 {
            add(.memoryBefore, .max)
            add(.atomicStore, Int64(number))
        }
        var limits = TracePart.Limits()
        limits.newerWrites = 10_000
        let part = TracePart(trace, within: limits).trace
        let steps = part.events.count / 2
        #expect(steps < 200 && steps * (steps - 1) / 2 <= limits.newerWrites + steps)
        #expect(TracePart(trace).trace.omitted == 0)
    }

    @Test func `an ordinary trace is shown as a whole`() {
        #expect(TracePart(.abba).trace == .abba && TracePart(.handOver).trace == .handOver)
        var trace = TraceDocument(header: TraceHeader(scenario: "long", runtime: .native))
        trace.threads = (0..<60).map { .init(name: "t\($0)") }
        for number in 0..<60 { trace.objects.append(.init(kind: .atomic, name: "a\(number)")) }
        trace.events = (0..<200_000).map {
            Event(
                time: 0, thread: ThreadID($0 % 60), kind: .atomicUpdate, object: ObjectID($0 / 7 % 60 + 1),
                value: Int64($0))
        }
        #expect(TracePart(trace).trace.omitted == 0)
    }

    @Test func `a part has the names of all that its events refer to, whatever the limits are`() {
        for limit in [1, 2, 3, 5, 8, 12, 100] {
            var limits = TracePart.Limits()
            limits.work = limit
            for trace in [TraceDocument.abba, .handOver] {
                let part = TracePart(trace, within: limits).trace
                #expect(part.events == Array(trace.events.prefix(part.events.count)))
                #expect(part.events.count + part.omitted == trace.events.count)
                for event in part.events {
                    #expect(part.name(of: event.thread) == trace.name(of: event.thread))
                    #expect(part.object(event.object) == trace.object(event.object))
                    if let other = event.valueAsThread { #expect(part.name(of: other) == trace.name(of: other)) }
                    if let other = event.valueAsObject { #expect(part.object(other) == trace.object(other)) }
                }
            }
        }
    }

    @Test func `a part can be examined`() {
        var limits = TracePart.Limits()
        limits.work = 8
        let part = TracePart(.abba, within: limits).trace
        var examination = Examination()
        examination.consume(part.events[...])
        #expect(examination.findings(in: Names(part)).allSatisfy { $0.code != .deadlock })
    }

    // MARK: - Findings

    @Test func `of very many races only as many are told as a reader could read`() {
        let count = 3000
        let writes = (0..<count).map { "main cell.write c\($0) 1 :1\nw cell.write c\($0) 2 :2\n" }.joined()
        let findings = Examination.findings(in: Script.trace("main thread.create w\n" + writes))
        #expect(findings.count == 1000 && findings.count { $0.code == .race } > 990)
    }

    @Test func `of a long list of names the first are shown, and the number of the others`() {
        let names = (1...100).map { "t\($0)" }
        #expect(Names.list(Array(names.prefix(40))).hasSuffix("t39 and t40"))
        #expect(Names.list(names).hasSuffix("t19, t20 and 80 others"))
        #expect(Names.visible(String(repeating: "x", count: 1 << 20)).unicodeScalars.count == 500)
    }
}
