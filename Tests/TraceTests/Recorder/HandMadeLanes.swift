@testable import Trace

/// A recording in which a test chooses the time of each event. Times are nanoseconds; the slack between lanes is a
/// millisecond.
struct HandMadeLanes {
    let recorder: Recorder
    private let lanes: [Lane]
    private let reader: RecordingReader

    /// - Parameters:
    ///   - threads: the number of lanes, each with its own thread: `t0`, `t1` and so on.
    ///   - values: the initial values of the objects 1, 2 and so on. Each is an atomic; or a cell, if the kind is.
    init(threads: Int, _ kind: ObjectKind = .atomic, values: [Int] = [0], size: Int = 8 << 20) throws {
        let recorder = Recorder(memory: try RecordingMemory(.anonymous, size: size), clock: .virtual)
        for thread in 0..<threads { recorder.declareThread(UInt16(thread), name: "t\(thread)") }
        for (index, value) in values.enumerated() {
            recorder.declareObject(UInt32(index + 1), kind: kind, name: "o\(index + 1)", value: value)
        }
        self.recorder = recorder
        lanes = (0..<threads).map { _ in recorder.makeLane() }
        reader = try RecordingReader(attachingTo: recorder.memory)
    }

    func add(_ kind: EventKind, by thread: Int, _ object: UInt32 = 1, _ value: Int = 0, at time: UInt64) {
        lanes[thread].append(
            kind, thread: UInt16(thread), object: object, value: Int64(value), site: .unknown, time: time)
    }

    func write(
        _ kind: EventKind = .atomicUpdate, by thread: Int, _ object: UInt32 = 1, from old: Int, to new: Int,
        at time: UInt64
    ) {
        LaneCursor.announceWrite(lanes[thread].cursor)
        LaneCursor.put(
            RecordedEvent(
                time: time, site: .unknown, value: Int64(new), object: object, thread: UInt16(thread), kind: kind),
            old: Int64(old), lanes[thread].cursor)
    }

    var laneReaders: [LaneReader] {
        lanes.indices.map { LaneReader(memory: recorder.memory, number: $0, returnsChunks: true) }
    }

    func events() -> [Event] {
        var document = TraceDocument(header: TraceHeader(scenario: "lanes", runtime: .native))
        reader.drain(into: &document, final: true)
        return document.events
    }

    /// In short: `t0 atomic.load 5`.
    func lines() -> [String] { events().map { "t\($0.thread.index) \($0.kind.name) \($0.value)" } }
}

/// Reads lanes while events are still being added. The test decides up to which time the lanes are complete.
struct StepwiseMerge {
    private var lanes: [LaneReader]
    private var merge = LaneMerge()

    init(_ made: HandMadeLanes) {
        lanes = made.laneReaders
        merge.slack = 1_000_000
        merge.order.grow(objects: 3, threads: lanes.count, initialValues: [:])
    }

    mutating func lines(upTo watermark: UInt64) -> [String] {
        for index in lanes.indices { lanes[index].update(moment: .max, previous: 0) }
        merge.begin(lanes)
        var lines: [String] = []
        while let event = merge.next(&lanes, watermark: watermark) {
            lines.append("t\(event.thread) \(event.kind?.name ?? "") \(event.value)")
        }
        return lines
    }
}
