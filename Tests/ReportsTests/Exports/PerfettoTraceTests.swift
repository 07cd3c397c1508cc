import Support
import Testing
import Trace

@testable import Reports

/// What a viewer finds in a Perfetto trace. The wire format is read by a decoder of its own (`ProtobufMessage`).
@Suite struct PerfettoTraceTests {
    @Test func `a thread has a track, with a mark for each step and its line`() throws {
        let reading = try PerfettoReading(.abba)
        let first = reading.events.filter { $0.track == "first" }
        #expect(first.map(\.name) == ["start", "lock a", "waits for b"])
        #expect(first.map(\.kind) == [.instant, .instant, .begin])
        #expect(first.map(\.line) == [nil, 21, 22])
        #expect(first.map(\.number) == [3, 4, 8])
    }

    @Test func `a lock that a thread holds is a slice in a track below the thread's`() throws {
        let reading = try PerfettoReading(.handOver.judged())
        let holds = reading.events.filter { $0.track == "holds m" }
        #expect(holds.map(\.kind) == [.begin, .end, .begin, .end, .begin, .end])
        #expect(holds[0].name == "m")
        #expect(["producer", "consumer"].contains(reading.parents["holds m"]))
    }

    @Test func `a wait is a slice that ends with the thread's next event`() throws {
        let consumer = try PerfettoReading(.handOver.judged()).events.filter { $0.track == "consumer" }
        let wait = try #require(consumer.firstIndex { $0.name == "waits for changed" })
        #expect(consumer[wait].kind == .begin)
        #expect(consumer[wait + 1].kind == .end)
        #expect(consumer[wait + 2].name == "woken by changed")
        #expect(consumer[wait + 1].time == consumer[wait + 2].time)
    }

    @Test func `arrows lead from what lets a thread continue to where it does`() throws {
        #expect(
            try PerfettoReading(.handOver.judged()).arrows
                == [
                    "main create consumer -> consumer start",
                    "main create producer -> producer start",
                    "consumer waits for changed -> producer lock m",
                    "producer signal changed -> consumer woken by changed",
                    "producer unlock m -> consumer woken by changed",
                    "producer end -> main join producer",
                    "consumer end 42 -> main join consumer",
                ].map { $0.replacing(" 42", with: "") })
    }

    @Test func `under a weaker memory model an arrow leads from a write to each read of it by another thread`() throws {
        let trace = TraceDocument.weak(
            """
            a atomic.store x 1 relaxed :1
            a atomic.store x 2 relaxed :2
            b memory.behind x 1 :3
            b atomic.load x 1 relaxed :3
            c atomic.load x 2 relaxed :4
            a atomic.load x 2 relaxed :5
            """)
        let reading = try PerfettoReading(trace)
        let old = "reads an older value of x: 1 (relaxed), although a wrote 2 at line 2"
        #expect(
            reading.arrows == [
                "a write x (relaxed) -> b \(old)", "a write x (relaxed) -> c read x (relaxed)",
            ])
        // From the write that is read, not from another one of the same name.
        let (writes, reads) = (reading.events.filter { !$0.starts.isEmpty }, reading.events.filter { !$0.ends.isEmpty })
        #expect(writes.map(\.line) == [1, 2] && writes.map(\.starts) == reads.map(\.ends))
    }

    @Test func `waiters and permits are counted`() throws {
        let trace = Script.trace(
            """
            main  thread.create taker
            taker thread.start
            taker semaphore.wait permits
            main  semaphore.signal permits
            taker semaphore.acquire permits
            main  queue.put line 7
            main  queue.put line 8
            taker queue.take line 7
            """)
        let counters = try PerfettoReading(trace).events.filter { $0.kind == .counter }
        #expect(
            counters.map { "\($0.track): \($0.value ?? -99)" } == [
                "threads that wait for permits: 1", "permits of permits, beside those at the beginning: 1",
                "threads that wait for permits: 0", "permits of permits, beside those at the beginning: 0",
                "length of line: 1", "length of line: 2", "length of line: 1",
            ])
    }

    @Test func `values are annotations, so names stay few`() throws {
        var lines = "main cell.write count 0"
        for value in 1...300 { lines += "\nmain cell.write count \(value)" }
        let reading = try PerfettoReading(Script.trace(lines))
        #expect(Set(reading.events.map(\.name)) == ["write count"])
        #expect(reading.events.map(\.value) == (0...300).map { Int64($0) })
    }

    @Test func `time never goes backwards, and steps that take no time are a microsecond apart`() throws {
        let reading = try PerfettoReading(.abba)
        #expect(reading.events.filter { $0.number != nil }.map(\.time) == (0..<9).map { $0 * 1000 })
        var native = TraceDocument.handOver
        native.events[3].time = 0
        let times = try PerfettoReading(native).events.map(\.time)
        #expect(times == times.sorted())
    }

    @Test func `the outcome is a mark after the last event`() throws {
        let last = try #require(try PerfettoReading(TraceDocument.abba.judged()).events.last)
        #expect(last.track == "deadlock" && last.name.hasPrefix("deadlock: first and second wait"))
        #expect(last.time > 8000)
    }

    @Test func `names are safe to show, and events of unknown threads and objects do no harm`() throws {
        let hostile = try PerfettoReading(.hostile)
        #expect(!hostile.events.contains { $0.name.unicodeScalars.contains { $0.value < 0x20 } })
        var trace = TraceDocument(header: TraceHeader(scenario: "", runtime: .native))
        trace.events = [
            Event(time: 5, thread: .main, kind: .threadCreate, value: -1),
            Event(time: 1, thread: .main, kind: .mutexAcquire, object: ObjectID(70_000)),
            Event(time: 2, thread: .main, kind: .semaphoreWait, object: ObjectID(70_001), site: SiteID(9)),
            Event(time: 3, thread: .main, kind: .semaphoreAcquire, object: ObjectID(70_001)),
        ]
        #expect(try PerfettoReading(trace).events.count > 4)
    }

    @Test func `a message of any length has its length in front`() throws {
        for length in [0, 1, 126, 127, 128, 300, 20_000] {
            var writer = ProtobufWriter()
            let text = String(repeating: "x", count: length)
            writer.write(message: 15) { $0.write(16, text) }
            writer.write(3, signed: -1)
            writer.write(4, fixed: 1 << 63 | 5)
            let message = try ProtobufMessage(writer.bytes)
            #expect(try message.message(15)?.text(16) == text)
            #expect(message.number(3) == UInt64.max && message.number(4) == 1 << 63 | 5)
        }
    }
}
