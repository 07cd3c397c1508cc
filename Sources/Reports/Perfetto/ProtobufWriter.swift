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

    /// A value of the type `int64`.
    mutating func write(_ field: UInt64, signed value: Int64) { write(field, UInt64(bitPattern: value)) }

    /// A value of the type `fixed64`.
    mutating func write(_ field: UInt64, fixed value: UInt64) {
        tag(field, .fixed64)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func write(_ field: UInt64, _ text: String) {
        tag(field, .delimited)
        varint(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// A message. Its length precedes it and is usually one byte, so that much room is left for it; a longer one moves
    /// the message.
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

    /// Seven bits a byte, the lowest first; all but the last are marked.
    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
