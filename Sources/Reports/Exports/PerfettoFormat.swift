/// The numbers of fields in Perfetto's schema (`protos/perfetto/trace` in its repository), for the messages that
/// threadlab writes. The names are threadlab's own; each type stands for a message.
enum PerfettoField {
    /// The field of the message `Trace`, which is the whole file.
    static let packet: UInt64 = 1

    enum Packet {
        static let timestamp: UInt64 = 8
        static let sequence: UInt64 = 10
        static let event: UInt64 = 11
        static let internedData: UInt64 = 12
        static let sequenceFlags: UInt64 = 13
        static let descriptor: UInt64 = 60

        /// A value of `sequenceFlags`: the tables of earlier packets are forgotten.
        static let stateCleared: UInt64 = 1
        /// A value of `sequenceFlags`: the packet refers to tables of earlier packets.
        static let needsState: UInt64 = 2
    }

    /// Tables of texts, to whose entries events refer by number.
    enum Interned {
        static let names: UInt64 = 2
        static let annotationNames: UInt64 = 3
        static let places: UInt64 = 4

        /// The fields of an entry, beginning with its number.
        static let number: UInt64 = 1
        static let text: UInt64 = 2
        static let line: UInt64 = 4
    }

    enum Track {
        static let number: UInt64 = 1
        static let name: UInt64 = 2
        static let process: UInt64 = 3
        static let thread: UInt64 = 4
        static let parent: UInt64 = 5
        static let counter: UInt64 = 8
    }

    enum Process {
        static let number: UInt64 = 1
        static let name: UInt64 = 6
    }

    enum Thread {
        static let process: UInt64 = 1
        static let number: UInt64 = 2
        static let name: UInt64 = 5
    }

    enum Counter {
        static let unit: UInt64 = 3
    }

    enum Event {
        static let annotations: UInt64 = 4
        static let type: UInt64 = 9
        static let name: UInt64 = 10
        static let track: UInt64 = 11
        static let text: UInt64 = 23
        static let counterValue: UInt64 = 30
        static let place: UInt64 = 34
        static let flows: UInt64 = 47
        static let endingFlows: UInt64 = 48
    }

    enum Annotation {
        static let name: UInt64 = 1
        static let integer: UInt64 = 4
    }
}

/// Writes Protocol Buffers' wire format: numbers, texts, and messages within messages.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    private enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case delimited = 2
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func write(_ field: UInt64, _ value: UInt64) {
        tag(field, .varint)
        varint(value)
    }

    mutating func write(_ field: UInt64, signed value: Int64) { write(field, UInt64(bitPattern: value)) }

    mutating func write(_ field: UInt64, fixed value: UInt64) {
        tag(field, .fixed64)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func write(_ field: UInt64, _ text: String) {
        tag(field, .delimited)
        varint(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes a message. The length before it usually needs one byte, for which room is left; a longer one moves the
    /// message.
    @inline(__always)
    mutating func write(message field: UInt64, _ body: (inout Self) -> Void) {
        tag(field, .delimited)
        let place = bytes.count
        bytes.append(0)
        body(&self)
        let length = bytes.count - place - 1
        if length < 0x80 { bytes[place] = UInt8(length) } else { insert(length, at: place) }
    }

    @inline(never) private mutating func insert(_ length: Int, at place: Int) {
        var digits = ProtobufWriter()
        digits.varint(UInt64(length))
        bytes.replaceSubrange(place...place, with: digits.bytes)
    }

    private mutating func tag(_ field: UInt64, _ type: WireType) { varint(field << 3 | type.rawValue) }

    /// Writes seven bits in each byte, the lowest first. All bytes but the last have their highest bit set.
    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
