/// Collects the bytes of a report, and passes them on in chunks that end with a line or a record.
package struct ByteSink {
    /// The bytes not yet passed on.
    package private(set) var bytes: [UInt8] = []
    /// The number of bytes passed on.
    private var passedOn = 0
    /// The number of all bytes so far.
    package var count: Int { passedOn + bytes.count }
    private let chunkSize: Int
    private let drain: (([UInt8]) -> Void)?

    /// Collects all bytes, and passes none on.
    package init() {
        chunkSize = .max
        drain = nil
    }

    /// - Parameter drain: called with at least `chunkSize` bytes, and by `flush` with the rest.
    package init(chunkSize: Int = 1 << 16, drain: @escaping ([UInt8]) -> Void) {
        self.chunkSize = chunkSize
        self.drain = drain
    }

    /// The output of `body`, as a string.
    package static func collect(_ body: (inout ByteSink) -> Void) -> String {
        var sink = ByteSink()
        body(&sink)
        return String(decoding: sink.bytes, as: UTF8.self)
    }

    package mutating func write(_ byte: UInt8) { bytes.append(byte) }

    package mutating func write(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    package mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    package mutating func write(decimal number: some FixedWidthInteger) {
        if number < 0 { write(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = UInt64(number.magnitude)
        repeat {
            let digits = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits.remainder))
            rest = digits.quotient
        } while rest > 0
        bytes[start...].reverse()
    }

    package mutating func write(spaces count: Int) {
        for _ in 0..<max(count, 0) { bytes.append(UInt8(ascii: " ")) }
    }

    /// Ends the line, after which a chunk may end.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= chunkSize { flush() }
    }

    /// Writes a record of a binary format, after which a chunk may end.
    package mutating func write(record: [UInt8]) {
        bytes.append(contentsOf: record)
        if bytes.count >= chunkSize { flush() }
    }

    /// Passes the remaining bytes on.
    package mutating func flush() {
        guard let drain, !bytes.isEmpty else { return }
        drain(bytes)
        passedOn += bytes.count
        bytes.removeAll(keepingCapacity: true)
    }
}
