import Trace

@testable import Reports

/// A Perfetto trace as its importer would see it: names looked up, tracks by name.
struct PerfettoReading {
    enum Kind: UInt64 {
        case begin = 1
        case end, instant, counter
    }

    struct Event: Equatable {
        var time: UInt64
        var track: String
        var kind: Kind
        var name = ""
        var value: Int64?
        /// The number of the event in the trace.
        var number: UInt64?
        var line: UInt64?
        var starts: [UInt64] = []
        var ends: [UInt64] = []
    }

    struct Malformed: Error { var what: String }

    private(set) var events: [Event] = []
    /// The parents of the tracks, by name.
    private(set) var parents: [String: String] = [:]
    private var tracks: [UInt64: String] = [:]
    private var names: [UInt64: String] = [:]
    private var lines: [UInt64: UInt64] = [:]

    init(_ trace: TraceDocument) throws {
        var sink = ByteSink()
        PerfettoTrace.write(trace, to: &sink)
        try self.init(sink.bytes)
    }

    init(_ bytes: [UInt8]) throws {
        for packet in try ProtobufMessage(bytes).messages(1) {
            guard packet.number(10) == 1 else { throw Malformed(what: "no sequence") }
            if let data = try packet.message(12) {
                for entry in try data.messages(2) { names[entry.number(1) ?? 0] = entry.text(2) }
                for entry in try data.messages(4) { lines[entry.number(1) ?? 0] = entry.number(4) }
            }
            if let track = try packet.message(60) { try add(track) }
            if let event = try packet.message(11) { try add(event, at: packet.number(8)) }
        }
    }

    private mutating func add(_ track: ProtobufMessage) throws {
        let thread = try track.message(4)
        let process = try track.message(3)
        guard let number = track.number(1), tracks[number] == nil,
            let name = track.text(2) ?? thread?.text(5) ?? process?.text(6)
        else { throw Malformed(what: "a track without a number or name, or two with one number") }
        tracks[number] = name
        guard let parent = track.number(5) else { return }
        guard let parentName = tracks[parent] else { throw Malformed(what: "no parent") }
        parents[name] = parentName
    }

    private mutating func add(_ event: ProtobufMessage, at time: UInt64?) throws {
        guard let time, let track = event.number(11).flatMap({ tracks[$0] }),
            let kind = event.number(9).flatMap(Kind.init)
        else { throw Malformed(what: "an event without time, track or type") }
        var read = Event(time: time, track: track, kind: kind)
        if let text = event.text(23) ?? event.number(10).flatMap({ names[$0] }) { read.name = text }
        if kind != .counter && kind != .end && read.name.isEmpty { throw Malformed(what: "an event without name") }
        read.value = event.number(30).map(Int64.init(bitPattern:))
        for annotation in try event.messages(4) {
            if annotation.number(1) == 1 { read.number = annotation.number(4) }
            if annotation.number(1) == 2 { read.value = annotation.number(4).map(Int64.init(bitPattern:)) }
        }
        read.line = event.number(34).flatMap { lines[$0] }
        read.starts = event.numbers(47)
        read.ends = event.numbers(48)
        events.append(read)
    }

    /// Where the arrows lead, as the names of both events.
    var arrows: [String] {
        events.flatMap { end in
            end.ends.map { flow in
                let start = events.first { $0.starts.contains(flow) }
                return "\(start.map { "\($0.track) \($0.name)" } ?? "nowhere") -> \(end.track) \(end.name)"
            }
        }
    }
}
