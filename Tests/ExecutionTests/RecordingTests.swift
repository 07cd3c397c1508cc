import Testing

@testable import Trace

@Suite struct RecordingTests {
    @Test func `what was recorded is read back in order with its names`() throws {
        let recordings = try Recordings()
        let recorder = recordings.recorder
        recorder.declareThread(1, name: "worker")
        recorder.declareObject(1, kind: .mutex, name: "a")
        let lane = recorder.makeLane()
        lane.append(.threadCreate, thread: 0, value: 1, site: .unknown, time: 5)
        lane.append(.mutexAcquire, thread: 1, object: 1, value: 1, site: SourceSite("Some/File.swift", 42), time: 7)
        lane.append(.note, thread: 1, value: recorder.text("hello"), site: .unknown, time: 9)
        let document = try recordings.read()
        #expect(document.lines == ["main thread.create worker", "worker mutex.acquire a 1", "worker note hello"])
        #expect(document.events.map(\.time) == [5, 7, 9])
        #expect(document.site(document.events[1].site) == .init(file: "Some/File.swift", line: 42))
        #expect(document.site(document.events[0].site) == nil)
    }

    @Test func `a file that the program does not contain can be a site too`() throws {
        let recordings = try Recordings()
        let file = recordings.recorder.text("demo.lab")
        let site = recordings.recorder.site(inFileNamed: file, line: 3)
        recordings.recorder.makeLane().append(.threadYield, thread: 0, site: site, time: 0)
        let document = try recordings.read()
        #expect(document.site(document.events[0].site) == .init(file: "demo.lab", line: 3))
    }

    @Test func `lanes are merged by time`() throws {
        let recordings = try Recordings()
        let lanes = (0..<3).map { _ in recordings.recorder.makeLane() }
        for time in 0..<300 {
            lanes[time % 3].append(.choice, thread: 0, value: Int64(time), site: .unknown, time: UInt64(time))
        }
        #expect(try recordings.read().events.map(\.value) == (0..<300).map { Int64($0) })
    }

    @Test func `an acquisition that seems to come before the release comes after it`() throws {
        let recordings = try Recordings()
        recordings.recorder.declareThread(1, name: "other")
        recordings.recorder.declareObject(1, kind: .mutex, name: "a")
        let (first, second) = (recordings.recorder.makeLane(), recordings.recorder.makeLane())
        first.append(.mutexAcquire, thread: 0, object: 1, value: 1, site: .unknown, time: 10)
        first.append(.mutexRelease, thread: 0, object: 1, site: .unknown, time: 30)
        second.append(.mutexAcquire, thread: 1, object: 1, value: 2, site: .unknown, time: 20)
        #expect(
            try recordings.read().lines == [
                "main mutex.acquire a 1", "main mutex.release a", "other mutex.acquire a 2",
            ])
    }

    @Test func `a wait gives the mutex up, and the wake-up takes it after its holder`() throws {
        let recordings = try Recordings()
        recordings.recorder.declareThread(1, name: "other")
        recordings.recorder.declareObject(1, kind: .mutex, name: "m")
        recordings.recorder.declareObject(2, kind: .condition, name: "c")
        let (first, second) = (recordings.recorder.makeLane(), recordings.recorder.makeLane())
        first.append(.mutexAcquire, thread: 0, object: 1, value: 1, site: .unknown, time: 1)
        first.append(.conditionWait, thread: 0, object: 2, value: 1, site: .unknown, time: 5)
        second.append(.mutexAcquire, thread: 1, object: 1, value: 2, site: .unknown, time: 4)
        second.append(.mutexRelease, thread: 1, object: 1, site: .unknown, time: 8)
        first.append(.conditionWake, thread: 0, object: 2, value: 3 << 32 | 1, site: .unknown, time: 7)
        #expect(
            try recordings.read().lines == [
                "main mutex.acquire m 1", "main condition.wait c m", "other mutex.acquire m 2", "other mutex.release m",
                "main condition.wake c m",
            ])
    }

    @Test func `the lanes of a run that takes one step at a time are read one after the other, whatever is in them`()
        throws
    {
        let recordings = try Recordings(order: .byLane)
        let recorder = recordings.recorder
        recorder.declareThread(1, name: "other")
        recorder.declareObject(1, kind: .mutex, name: "m")
        recorder.declareObject(2, kind: .cell, name: "x")
        let reader = try RecordingReader(attachingTo: recorder.memory)
        var document = Recordings.document()
        let first = recorder.makeLane()
        first.append(.cellWrite, thread: 0, object: 2, value: 1, site: .unknown, time: 30)
        // What the thread would do next, had the run not paused here.
        first.append(.mutexAcquire, thread: 0, object: 1, value: 7, site: .unknown, time: 30)
        reader.drain(into: &document, final: false)
        #expect(document.lines == ["main cell.write x 1", "main mutex.acquire m 7"])
        let second = recorder.makeLane()
        second.append(.cellRead, thread: 1, object: 2, value: 0, site: .unknown, time: 20)
        second.append(.mutexAcquire, thread: 1, object: 1, value: 1, site: .unknown, time: 30)
        recorder.makeLane().append(.mutexAcquire, thread: 0, object: 1, value: 2, site: .unknown, time: 10)
        reader.drain(into: &document, final: true)
        #expect(
            document.lines.suffix(3) == ["other cell.read x 0", "other mutex.acquire m 1", "main mutex.acquire m 2"])
        #expect(document.events.map(\.time) == [30, 30, 30, 30, 30])
    }

    @Test func `what one thread is about to record limits until when the run is known`() throws {
        let recordings = try Recordings(clock: .monotonic)
        let recorder = recordings.recorder
        recorder.declareThread(1, name: "other")
        let reader = try RecordingReader(attachingTo: recorder.memory)
        var document = Recordings.document()
        let (slow, other) = (recorder.makeLane(), recorder.makeLane())
        slow.append(.threadYield, thread: 0, site: .unknown)
        while document.events.isEmpty { reader.drain(into: &document, final: false) }
        let time = slow.reserve()
        other.append(.threadYield, thread: 1, site: .unknown)
        for _ in 1...3 { reader.drain(into: &document, final: false) }
        #expect(reader.horizon < time && document.events.count == 1)
        slow.append(.threadYield, thread: 0, site: .unknown, time: time)
        while reader.horizon <= time { reader.drain(into: &document, final: false) }
        #expect(document.lines.prefix(2) == ["main thread.yield", "main thread.yield"])
    }

    @Test func `an event that waits for another one limits until when the run is known`() throws {
        let recordings = try Recordings(clock: .monotonic)
        let recorder = recordings.recorder
        recorder.declareThread(1, name: "other")
        recorder.declareObject(1, kind: .mutex, name: "m")
        let reader = try RecordingReader(attachingTo: recorder.memory)
        var document = Recordings.document()
        let lane = recorder.makeLane()
        let time = reader.now
        lane.append(.mutexAcquire, thread: 0, object: 1, value: 2, site: .unknown, time: time)
        reader.drain(into: &document, final: false)
        #expect(reader.horizon <= time && document.events.isEmpty)
    }

    @Test(arguments: [LaneOrder.byTime, .byLane])
    func `many chunks are read in one go and in pieces alike`(order: LaneOrder) throws {
        let recordings = try Recordings(size: 32 << 20, order: order)
        let lane = recordings.recorder.makeLane()
        let reader = try RecordingReader(attachingTo: recordings.recorder.memory)
        var document = Recordings.document()
        for i in 0..<10_000 {
            lane.append(.choice, thread: 0, value: Int64(i), site: .unknown, time: UInt64(i))
            if i % 777 == 0 { reader.drain(into: &document, final: false) }
        }
        reader.drain(into: &document, final: true)
        #expect(document.events.map(\.value) == (0..<10_000).map { Int64($0) })
        #expect(document.dropped == 0)
    }

    @Test(arguments: [LaneOrder.byTime, .byLane])
    func `drained chunks are used again, so a small region holds a long run`(order: LaneOrder) throws {
        let recordings = try Recordings(size: 1, order: order)
        let lane = recordings.recorder.makeLane()
        let reader = try RecordingReader(attachingTo: recordings.recorder.memory)
        var document = Recordings.document()
        for i in 0..<200_000 {
            lane.append(.choice, thread: 0, value: Int64(i), site: .unknown, time: UInt64(i))
            if i % 2000 == 0 { reader.drain(into: &document, final: false) }
        }
        reader.drain(into: &document, final: true)
        #expect(document.events.count == 200_000)
        #expect(document.dropped == 0)
    }

    @Test func `a full region drops what comes later, and counts it`() throws {
        let recordings = try Recordings(size: 1)
        let lane = recordings.recorder.makeLane()
        for i in 0..<100_000 { lane.append(.choice, thread: 0, value: Int64(i), site: .unknown, time: UInt64(i)) }
        let document = try recordings.read()
        #expect(document.events.count > 2000)
        #expect(document.events.count + document.dropped == 100_000)
    }

    @Test func `a document keeps the newest events`() throws {
        let recordings = try Recordings()
        let lane = recordings.recorder.makeLane()
        for i in 0..<5000 { lane.append(.choice, thread: 0, value: Int64(i), site: .unknown, time: UInt64(i)) }
        let document = try recordings.read(maximumEvents: 1000)
        #expect(document.events.count <= 1000 && document.events.count >= 500)
        #expect(document.events.last?.value == 4999)
        #expect(document.events.count + document.dropped == 5000)
    }

    @Test func `a document keeps the readings of meters, also old ones`() throws {
        let recordings = try Recordings()
        let lane = recordings.recorder.makeLane()
        for i in 0..<5000 {
            let kind = i % 100 == 0 ? EventKind.meterCount : .choice
            lane.append(kind, thread: 0, value: Int64(i), site: .unknown, time: UInt64(i))
        }
        let document = try recordings.read(maximumEvents: 1000)
        #expect(document.events.filter { $0.kind == .meterCount }.map(\.value) == (0..<50).map { $0 * 100 })
        #expect(document.events.count + document.dropped == 5000)
    }

    @Test func `an observer receives each event, also those that the document drops`() throws {
        let recordings = try Recordings()
        let lane = recordings.recorder.makeLane()
        let reader = try RecordingReader(attachingTo: recordings.recorder.memory, maximumEvents: 1000)
        var document = Recordings.document()
        var observed: [Int64] = []
        for i in 0..<5000 {
            lane.append(.choice, thread: 0, value: Int64(i), site: .unknown, time: UInt64(i))
            if i % 2000 == 0 { reader.drain(into: &document, final: false) { observed += $0.map(\.value) } }
        }
        reader.drain(into: &document, final: true) { observed += $0.map(\.value) }
        #expect(observed == Array(0..<5000))
        #expect(document.dropped > 0)
    }

    @Test func `an event that is on its way holds back later ones`() throws {
        let recordings = try Recordings(clock: .best)
        let (slow, fast) = (recordings.recorder.makeLane(), recordings.recorder.makeLane())
        let reader = try RecordingReader(attachingTo: recordings.recorder.memory)
        var document = Recordings.document()
        let time = slow.reserve()
        fast.append(.choice, thread: 0, value: 2, site: .unknown)
        reader.drain(into: &document, final: false)
        #expect(document.events.isEmpty)
        slow.append(.choice, thread: 0, value: 1, site: .unknown, time: time)
        reader.drain(into: &document, final: true)
        #expect(document.events.map(\.value) == [1, 2])
    }

    @Test func `long texts are cut at a character`() throws {
        let recordings = try Recordings()
        let text = String(repeating: "é", count: 5000)
        recordings.recorder.makeLane().append(
            .note, thread: 0, value: recordings.recorder.text("x" + text), site: .unknown, time: 0)
        let kept = try #require(try recordings.read().texts.first)
        #expect(kept == "x" + String(repeating: "é", count: 2047))
    }

    @Test func `when there is no room for a text the event stays`() throws {
        let recordings = try Recordings(size: 1)
        let lane = recordings.recorder.makeLane()
        let text = String(repeating: "y", count: 4000)
        for i in 0..<100 {
            lane.append(.note, thread: 0, value: recordings.recorder.text(text), site: .unknown, time: UInt64(i))
        }
        let document = try recordings.read()
        #expect(document.events.count == 100)
        #expect(document.events.last.flatMap { document.text(of: $0) } == nil)
        #expect(document.texts.count > 5)
    }
}
