import Console
import Glibc
import Text
import Trace

/// Messages of the Language Server Protocol on standard input and output: a header with a length, and that many bytes
/// of JSON.
struct MessageChannel {
    /// The next message, if it has arrived.
    enum Arrival {
        /// The JSON of a whole message.
        case message([UInt8])
        /// There is no whole message yet.
        case nothing
        /// The editor has closed the connection.
        case end
    }

    /// The bytes that have arrived and do not belong to a message that was returned.
    private var bytes: [UInt8] = []
    private var isAtEnd = false

    /// The maximum length of a message, in bytes. A longer one is an error: a `.lab` file is small, and the other side
    /// may be faulty.
    private static let longestMessage = 1 << 23
    /// The maximum length of a header, in bytes.
    private static let longestHeader = 1 << 10
    private static let separator = Array("\r\n\r\n".utf8)

    /// Reads the bytes that have arrived, without waiting for more. Must be called only if something can be read.
    mutating func receive() {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        if count < 0 && errno == EINTR { return }
        if count <= 0 { isAtEnd = true } else { bytes += chunk[..<count] }
    }

    /// The next complete message in the bytes that have been read.
    mutating func next() throws(Complaint) -> Arrival {
        guard let header = bytes.prefix(Self.longestHeader).firstRange(of: Self.separator) else {
            guard bytes.count < Self.longestHeader else { throw Self.refusal("there is no header") }
            guard isAtEnd, !bytes.isEmpty else { return isAtEnd ? .end : .nothing }
            throw Self.refusal("it ends in the middle of a header")
        }
        let length = try Self.length(in: bytes[..<header.lowerBound])
        guard bytes.count - header.upperBound >= length else {
            guard isAtEnd else { return .nothing }
            throw Self.refusal("it ends in the middle of a message")
        }
        let end = header.upperBound + length
        defer { bytes.removeFirst(end) }
        return .message(Array(bytes[header.upperBound..<end]))
    }

    /// The value of `Content-Length`.
    private static func length(in header: ArraySlice<UInt8>) throws(Complaint) -> Int {
        for line in String(decoding: header, as: UTF8.self).split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            guard let length = Int(parts[1].filter { $0 != " " }), (0...longestMessage).contains(length) else {
                throw refusal("a message has at most \(longestMessage >> 20) MiB")
            }
            return length
        }
        throw refusal("a header has no Content-Length")
    }

    private static func refusal(_ reason: String) -> Complaint {
        Complaint("lsp: standard input is not what an editor writes: \(reason)")
    }

    func send(_ json: JSON) throws(Complaint) {
        var body: [UInt8] = []
        var sink = ByteSink { body += $0 }
        json.write(to: &sink)
        sink.flush()
        try StandardOutput.write("Content-Length: \(body.count)\r\n\r\n" + String(decoding: body, as: UTF8.self))
    }
}

/// JSON of messages: written, read by key, and built from Swift literals.
extension JSON {
    func write(to sink: inout ByteSink) {
        switch self {
        case .null: JSONText.null.write(json: &sink)
        case .bool(let value): value.write(json: &sink)
        case .integer(let value): sink.write(value.description)
        case .fraction(let value): value.write(json: &sink)
        case .string(let text): text.write(json: &sink)
        case .array(let elements):
            sink.write("[")
            for (number, element) in elements.enumerated() {
                if number > 0 { sink.write(",") }
                element.write(to: &sink)
            }
            sink.write("]")
        case .object(let members):
            sink.write("{")
            for (number, member) in members.enumerated() {
                if number > 0 { sink.write(",") }
                member.key.write(json: &sink)
                sink.write(":")
                member.value.write(to: &sink)
            }
            sink.write("}")
        }
    }

    // MARK: - Reading

    /// The value of a member of an object. Nil: there is no such member, or it is null.
    subscript(_ key: String) -> JSON? {
        guard case .object(let members) = self, let value = members.first(where: { $0.key == key })?.value else {
            return nil
        }
        return value == .null ? nil : value
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }
    var number: Int? { if case .integer(let number) = self { Int(exactly: number) } else { nil } }
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
    var isTrue: Bool { self == .bool(true) }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(integerLiteral number: Int) { self = .integer(Int128(number)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(members.map { Member(key: $0.0, value: $0.1) })
    }
}
