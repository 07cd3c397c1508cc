import CLab
import Glibc
import Testing

@testable import Execution
@testable import Trace

/// Recordings whose writer died, and files that have been tampered with.
@Suite struct CutRecordingTests {
    /// Runs the body in a child process that is killed at its end, and waits for that.
    private func inKilledChild(_ body: () -> Void) {
        let child = clab_fork()
        if child == 0 {
            body()
            kill(getpid(), SIGKILL)
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        #expect(status & 0x7F == SIGKILL)
    }

    @Test(arguments: [LaneOrder.byTime, .byLane])
    func `a parent reads what its killed child recorded, up to the last event`(order: LaneOrder) throws {
        let recordings = try Recordings(.shared, clock: .best, order: order)
        let lane = recordings.recorder.makeLane()
        let reader = try RecordingReader(attachingTo: recordings.recorder.memory)
        var document = Recordings.document()
        inKilledChild {
            for i in 0..<5000 {
                lane.append(.choice, thread: 0, value: Int64(i), site: SourceSite("Some/File.swift", 7))
            }
            _ = lane.reserve()
        }
        reader.drain(into: &document, final: true)
        #expect(document.events.map(\.value) == (0..<5000).map { Int64($0) })
        #expect(document.events.last.flatMap { document.site($0.site) } == .init(file: "Some/File.swift", line: 7))
    }

    @Test func `a file holds what a killed process recorded`() throws {
        let path = "/tmp/threadlab-test-\(getpid())-killed"
        defer { unlink(path) }
        let recordings = try Recordings(.file(path), clock: .best)
        let lane = recordings.recorder.makeLane()
        inKilledChild {
            for i in 0..<3000 { lane.append(.choice, thread: 0, value: Int64(i), site: SourceSite("F.swift", 7)) }
        }
        var document = Recordings.document()
        try RecordingReader(file: path).drain(into: &document, final: true)
        #expect(document.events.count == 3000)
        #expect(document.threads.map(\.name) == ["main"])
        #expect(document.events.first.flatMap { document.site($0.site) } == .init(file: "F.swift", line: 7))
    }

    @Test func `a name whose writer died hides no later one`() throws {
        let recordings = try Recordings()
        let area = NameArea(memory: recordings.recorder.memory)
        let torn = area.add(.thread, id: 1, "torn")
        recordings.recorder.memory.store(torn + 8, 0)
        recordings.recorder.declareThread(2, name: "whole")
        #expect(try recordings.read().threads.map(\.name) == ["main", "thread 1", "whole"])
    }

    @Test func `another program's sites are unknown, and wild addresses are not followed`() throws {
        let recordings = try Recordings()
        let lane = recordings.recorder.makeLane()
        for address: UInt64 in [1, 0x1000, 0x7FFF_FFFF_FFFF] {
            lane.append(.threadYield, thread: 0, site: SourceSite(word: address << 16 | 1), time: 0)
        }
        lane.append(.threadYield, thread: 0, site: SourceSite("F.swift", 7), time: 0)
        #expect(try recordings.read().events.map { $0.site.index } == [0, 0, 0, 1])
        recordings.recorder.memory.store(RecordingLayout.Header.program, 12345)
        #expect(try recordings.read().events.allSatisfy { $0.site == .unknown })
    }

    @Test(arguments: [LaneOrder.byTime, .byLane])
    func `no damage to a file brings the reader down`(order: LaneOrder) throws {
        let path = "/tmp/threadlab-test-\(getpid())-damaged-\(order)"
        defer { unlink(path) }
        let recordings = try Recordings(.file(path), size: 1, order: order)
        let recorder = recordings.recorder
        recorder.declareThread(1, name: "other")
        recorder.declareObject(1, kind: .mutex, name: "m")
        let lanes = [recorder.makeLane(), recorder.makeLane()]
        for i in 0..<3000 {
            let kind: EventKind = i % 3 == 0 ? .mutexAcquire : i % 3 == 1 ? .note : .conditionWake
            let value = kind == .note ? (i < 100 ? recorder.text("text \(i)") : 0) : Int64(i)
            lanes[i % 2].append(kind, thread: UInt16(i % 2), object: 1, value: value, site: .unknown, time: UInt64(i))
        }
        var random = SplitMix64(seed: 42)
        let memory = recorder.memory
        let places = [
            0..<RecordingLayout.Header.length, RecordingLayout.lanes..<(RecordingLayout.lanes + 512),
            RecordingLayout.names..<(RecordingLayout.names + 4096),
            RecordingLayout.chunks(size: memory.size)..<memory.size,
        ]
        var readable = 0
        for _ in 0..<150 {
            var undo: [(Int, UInt64)] = []
            for _ in 0..<4 {
                let place = places.randomElement(using: &random)!
                let offset = Int.random(in: place.lowerBound / 8..<place.upperBound / 8, using: &random) * 8
                let wild: [UInt64] = [0, .max, 1 << 63, random.next(), random.next() & 0xFFFF, 1 << 32 | 3]
                undo.append((offset, memory.load(offset)))
                memory.store(offset, wild.randomElement(using: &random)!)
            }
            var document = Recordings.document()
            if let reader = try? RecordingReader(file: path) {
                reader.drain(into: &document, final: true)
                readable += 1
                for event in document.events {
                    #expect(Int(event.thread.index) < document.threads.count)
                    #expect(Int(event.object.index) < document.objects.count)
                }
            }
            for (offset, word) in undo.reversed() { memory.store(offset, word) }
        }
        #expect(readable > 30)
    }

    @Test func `what is no recording is refused`() throws {
        let path = "/tmp/threadlab-test-\(getpid())-other"
        defer { unlink(path) }
        let memory = try RecordingMemory(.file(path), size: 1)
        #expect(throws: RecordingError.self) { _ = try RecordingReader(file: path) }
        #expect(throws: RecordingError.self) { _ = try RecordingReader(file: "/proc/self/exe/nothing") }
        #expect(throws: RecordingError.self) { _ = try RecordingReader(file: "/tmp") }
        _ = Recorder(memory: memory, clock: .virtual)
        #expect(throws: Never.self) { _ = try RecordingReader(file: path) }
        truncate(path, memory.size - 70_000)
        #expect(throws: RecordingError.self) { _ = try RecordingReader(file: path) }
    }

    @Test func `a running thread is not asleep`() {
        #expect(!KernelSleep.areAllAsleep([clab_thread_id()]))
        #expect(KernelSleep.areAllAsleep([]))
    }
}
