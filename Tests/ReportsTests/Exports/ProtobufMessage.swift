/// A message in Protocol Buffers' wire format, read strictly: its fields in order.
struct ProtobufMessage {
    enum Value: Equatable {
        case number(UInt64)
        case bytes([UInt8])
    }

    struct Malformed: Error {}

    private(set) var fields: [(number: UInt64, value: Value)] = []

    init(_ bytes: some Collection<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let tag = try Self.varint(&rest)
            switch tag & 7 {
            case 0: fields.append((tag >> 3, .number(try Self.varint(&rest))))
            case 1:
                let digits = try Self.take(8, &rest)
                fields.append((tag >> 3, .number(digits.reversed().reduce(0) { $0 << 8 | UInt64($1) })))
            case 2:
                let length = try Self.varint(&rest)
                fields.append((tag >> 3, .bytes(try Self.take(Int(length), &rest))))
            default: throw Malformed()
            }
        }
    }

    func numbers(_ field: UInt64) -> [UInt64] {
        fields.compactMap { if $0.number == field, case .number(let number) = $0.value { number } else { nil } }
    }

    func number(_ field: UInt64) -> UInt64? { numbers(field).first }

    func messages(_ field: UInt64) throws -> [ProtobufMessage] { try contents(field).map { try ProtobufMessage($0) } }

    func message(_ field: UInt64) throws -> ProtobufMessage? { try messages(field).first }

    func text(_ field: UInt64) -> String? { contents(field).first.flatMap { String(validating: $0, as: UTF8.self) } }

    private func contents(_ field: UInt64) -> [[UInt8]] {
        fields.compactMap { if $0.number == field, case .bytes(let bytes) = $0.value { bytes } else { nil } }
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw Malformed() }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw Malformed()
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) throws -> [UInt8] {
        guard rest.count >= count else { throw Malformed() }
        defer { rest.removeFirst(count) }
        return Array(rest.prefix(count))
    }
}
