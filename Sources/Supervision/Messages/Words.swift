/// What is sent as words to another process of the same program.
protocol Message {
    func write(to words: inout WordWriter)
    init(from words: inout WordReader) throws(DamagedMessage)
}

/// Encodes values as words.
struct WordWriter {
    private(set) var words: [Int] = []

    mutating func add(_ word: Int) { words.append(word) }

    mutating func add(_ message: some Message) { message.write(to: &self) }

    mutating func add(_ text: String) { add(packed: text.utf8) }

    /// Bytes, eight to a word.
    mutating func add(packed bytes: some Collection<UInt8>) {
        add(bytes.count)
        var (word, shift) = (0, 0)
        for byte in bytes {
            word |= Int(truncatingIfNeeded: UInt64(byte) << shift)
            shift += 8
            if shift == 64 {
                add(word)
                (word, shift) = (0, 0)
            }
        }
        if shift > 0 { add(word) }
    }

    /// Nil is distinguished from every value.
    mutating func add<Value>(_ value: Value?, _ write: (inout WordWriter, Value) -> Void) {
        add(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }

    mutating func add(_ message: (some Message)?) { add(message) { $0.add($1) } }

    mutating func add<Value>(_ values: [Value], _ write: (inout WordWriter, Value) -> Void) {
        add(values.count)
        for value in values { write(&self, value) }
    }

    mutating func add(_ messages: [some Message]) { add(messages) { $0.add($1) } }
}

/// Decodes what a `WordWriter` has encoded.
///
/// The words come from a process that runs a scenario's code, which may have overwritten them. Reading is therefore
/// total: whatever the words are, it returns a value or throws.
struct WordReader {
    private var words: ArraySlice<Int>

    init(_ words: ArraySlice<Int>) { self.words = words }

    var isEmpty: Bool { words.isEmpty }

    mutating func word() throws(DamagedMessage) -> Int {
        guard let word = words.popFirst() else { throw DamagedMessage() }
        return word
    }

    /// A number that fits its type.
    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(DamagedMessage) -> Number {
        guard let number = Number(exactly: try word()) else { throw DamagedMessage() }
        return number
    }

    /// A count: not negative, and small enough for counts to be added up.
    mutating func count() throws(DamagedMessage) -> Int {
        let count = try word()
        guard SharedCount.range.contains(count) else { throw DamagedMessage() }
        return count
    }

    /// One of an enumeration's cases.
    mutating func value<Value: RawRepresentable>(_: Value.Type = Value.self) throws(DamagedMessage) -> Value
    where Value.RawValue: FixedWidthInteger {
        guard let value = Value(rawValue: try number()) else { throw DamagedMessage() }
        return value
    }

    mutating func value<Value: RawRepresentable>(_: Value.Type = Value.self) throws(DamagedMessage) -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: try text()) else { throw DamagedMessage() }
        return value
    }

    mutating func text() throws(DamagedMessage) -> String { String(decoding: try packedBytes(), as: UTF8.self) }

    /// What `add(packed:)` has written.
    mutating func packedBytes() throws(DamagedMessage) -> [UInt8] {
        let count = try word()
        guard count >= 0, count <= words.count * 8 else { throw DamagedMessage() }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let word = try word()
            for place in 0..<min(8, count - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: word >> (place * 8)))
            }
        }
        return bytes
    }

    mutating func optional<Value>(
        _ read: (inout WordReader) throws(DamagedMessage) -> Value
    ) throws(DamagedMessage) -> Value? {
        try word() == 0 ? nil : try read(&self)
    }

    mutating func list<Value>(
        _ read: (inout WordReader) throws(DamagedMessage) -> Value
    ) throws(DamagedMessage) -> [Value] {
        let count = try word()
        // Every value takes at least one word.
        guard count >= 0 && count <= words.count else { throw DamagedMessage() }
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    mutating func message<Content: Message>() throws(DamagedMessage) -> Content { try Content(from: &self) }

    mutating func optional<Content: Message>() throws(DamagedMessage) -> Content? { try optional(Content.init) }

    mutating func list<Content: Message>() throws(DamagedMessage) -> [Content] { try list(Content.init) }

    /// Call when all values have been read: nothing may be left.
    func finish() throws(DamagedMessage) {
        guard isEmpty else { throw DamagedMessage() }
    }
}

/// A damaged message: the scenario must have overwritten the memory of the process that sent it.
struct DamagedMessage: Error, Equatable {
    /// The error message about the process that sent it.
    static let explanation =
        "a search process sent a damaged report; the scenario probably writes to memory that it does not own"
}
