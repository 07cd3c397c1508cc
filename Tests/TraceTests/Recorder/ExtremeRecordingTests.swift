import Support
import Testing

@testable import Trace

/// Whatever numbers are in a recording, reading it ends, and no event is outside of its range.
@Suite struct ExtremeRecordingTests {
    private let recorder: Recorder

    /// Events of every kind, by three threads.
    init() throws {
        recorder = Recorder(memory: try RecordingMemory(.anonymous, size: 1), clock: .virtual)
        recorder.declareRun(TraceHeader(scenario: "s", runtime: .native))
        for thread in UInt16(0)..<3 { recorder.declareThread(thread, name: "t\(thread)") }
        for (index, kind) in [ObjectKind.atomic, .semaphore, .mutex, .cell, .condition].enumerated() {
            recorder.declareObject(UInt32(index + 1), kind: kind, name: "o\(index)", value: 1)
        }
        recorder.declarePart(2, of: 1)
        let text = recorder.text("a\nf\tb.swift:7")
        let remark = recorder.number(of: Remark("a.b", "do {value}", value: .nanoseconds, counts: .level))
        let lanes = (0..<3).map { _ in recorder.makeLane() }
        let site = recorder.site(inFileNamed: text, line: 3)
        for (index, kind) in EventKind.allCases.enumerated() where kind != .remark && kind != .threadCutOff {
            lanes[index % 3].append(
                kind, thread: UInt16(index % 3), object: UInt32(index % 6), value: kind.meaning == .text ? text : 1,
                site: site, time: UInt64(index) * 1000)
        }
        lanes[0].append(remark: remark, thread: 0, object: 1, value: 5, site: site, time: 1 << 30)
    }

    private func read(_ change: (RecordingMemory) -> Void) throws -> TraceDocument {
        let copy = try RecordingMemory(.anonymous, size: 1)
        copy.base.copyMemory(from: recorder.memory.base, byteCount: copy.size)
        change(copy)
        var document = TraceDocument(header: TraceHeader(scenario: "s", runtime: .native))
        // A header that is none.
        guard let reader = try? RecordingReader(attachingTo: copy) else { return document }
        reader.drain(into: &document, final: true)
        return document
    }

    private static func isInRange(_ document: TraceDocument) -> Bool {
        document.events.allSatisfy { event in
            event.time <= Event.latestTime && event.kind.values(document.meaning(of: event)).contains(event.value)
        }
            && document.sites.allSatisfy { site in
                let lines = (site?.calls.map(\.line) ?? []) + [site?.line ?? 0]
                return lines.allSatisfy(TraceDocument.Site.lines.contains)
            }
    }

    @Test func `all that was recorded is read`() throws {
        let document = try read { _ in }
        #expect(document.events.count == EventKind.allCases.count - 1)
        #expect(Self.isInRange(document) && document.sites[1]?.calls.first?.line == 7)
    }

    /// Each word in turn. An eighth at a time, so that a failure says where.
    @Test(arguments: 0..<8) func `any number in any word is an event's, or is left out`(part: Int) throws {
        let memory = recorder.memory
        let words = stride(from: 0, to: memory.size, by: 8).filter { $0 < 1024 || memory.load($0) != 0 }
        for place in Extent.part(of: words.indices.filter { $0 % 8 == part }, every: 3) {
            for number in ExtremeNumbers.words {
                let document = try read { $0.store(words[place], UInt64(bitPattern: Int64(number))) }
                let isInRange = Self.isInRange(document)
                #expect(isInRange, "\(number) at \(words[place])")
                // Some numbers make very many threads or objects.
                guard place % 64 == part, document.threads.count + document.objects.count < 1000 else { continue }
                #expect(throws: Never.self) { try TraceReader.read(Array(document.saved.utf8)) }
            }
        }
    }

    @Test func `a text at the end of the addresses is none`() throws {
        let lane = recorder.makeLane()
        lane.append(.note, thread: 0, object: 0, value: .max & ~15, site: .unknown, time: 1 << 40)
        let last = try #require(try read { _ in }.events.last)
        #expect(last.kind == .note && last.value == -1)
    }

    @Test func `a permit is taken of a semaphore that has the least value`() throws {
        let lane = recorder.makeLane()
        lane.append(.atomicStore, thread: 0, object: 2, value: .min, site: .unknown, time: 1 << 40)
        lane.append(.semaphoreAcquire, thread: 0, object: 2, value: 0, site: .unknown, time: 1 << 40 + 1)
        #expect(try read { _ in }.events.suffix(2).map(\.kind) == [.atomicStore, .semaphoreAcquire])
    }
}
