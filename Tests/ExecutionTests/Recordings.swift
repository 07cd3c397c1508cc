import Trace

/// A small builder for tests of recordings.
struct Recordings {
    let recorder: Recorder

    init(
        _ kind: RecordingMemory.Kind = .anonymous, size: Int = 8 << 20, clock: RecordingClock = .virtual,
        order: LaneOrder = .byTime
    ) throws {
        recorder = Recorder(memory: try RecordingMemory(kind, size: size), clock: clock, order: order)
        recorder.declareThread(0, name: "main")
    }

    static func document() -> TraceDocument { TraceDocument(header: TraceHeader(scenario: "test", runtime: .native)) }

    /// Everything that was recorded.
    func read(maximumEvents: Int = 1_000_000) throws -> TraceDocument {
        var document = Self.document()
        try RecordingReader(attachingTo: recorder.memory, maximumEvents: maximumEvents)
            .drain(into: &document, final: true)
        return document
    }
}

extension TraceDocument {
    /// The events in short: `main mutex.acquire a 1`.
    var lines: [String] {
        events.map { event in
            var words = [name(of: event.thread), name(of: event)]
            if let object = object(event.object) { words.append(object.name) }
            switch meaning(of: event) {
            case .none: break
            case .thread: words.append(name(of: ThreadID(Int(event.value))))
            case .object: words.append(objects[Int(event.value)]?.name ?? "?")
            case .text: words.append(text(of: event) ?? "?")
            case .misuse: words.append(MisuseKind(rawValue: UInt8(event.value))?.identifier ?? "?")
            case .order: words.append(event.valueAsOrder?.word ?? "?")
            case .number, .result, .ticket, .signal, .nanoseconds, .bytes: words.append("\(event.value)")
            }
            return words.joined(separator: " ")
        }
    }
}
