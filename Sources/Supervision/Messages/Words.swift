import Trace

/// A value that is sent as words to another process of the same program.
package protocol Message {
    func write(to words: inout WordWriter)
    init(from words: inout WordReader) throws(DamagedMessage)
}

/// Encodes values as words.
package struct WordWriter {
    private(set) var words: [Int] = []

    package init() {}

    package mutating func add(_ word: Int) { words.append(word) }

    package mutating func add(_ message: some Message) { message.write(to: &self) }

    package mutating func add(_ text: String) { add(packed: text.utf8) }

    /// Adds bytes, eight to a word.
    package mutating func add(packed bytes: some Collection<UInt8>) {
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

    /// Adds an optional value. Nil differs from every value.
    package mutating func add<Value>(_ value: Value?, _ write: (inout WordWriter, Value) -> Void) {
        add(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }

    package mutating func add(_ message: (some Message)?) { add(message) { $0.add($1) } }

    package mutating func add<Value>(_ values: [Value], _ write: (inout WordWriter, Value) -> Void) {
        add(values.count)
        for value in values { write(&self, value) }
    }

    package mutating func add(_ messages: [some Message]) { add(messages) { $0.add($1) } }
}

extension WordWriter {
    /// The words as the bytes of a file, the lowest byte of each word first.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(words.count * 8)
        for word in words {
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (place * 8))) }
        }
        return bytes
    }
}

extension WordReader {
    /// Nil if the bytes are not a whole number of words.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count % 8 == 0 else { return nil }
        var words: [Int] = []
        words.reserveCapacity(bytes.count / 8)
        var (word, shift) = (0, 0)
        for byte in bytes {
            word |= Int(truncatingIfNeeded: UInt64(byte) << shift)
            shift += 8
            if shift == 64 {
                words.append(word)
                (word, shift) = (0, 0)
            }
        }
        self.init(words[...])
    }
}

/// Decodes what a `WordWriter` has encoded.
///
/// The words come from a process that runs a scenario's code, which may have overwritten them. Reading is therefore
/// total: for any words, it returns a value or throws.
package struct WordReader {
    private var words: ArraySlice<Int>

    init(_ words: ArraySlice<Int>) { self.words = words }

    package var isEmpty: Bool { words.isEmpty }

    package mutating func word() throws(DamagedMessage) -> Int {
        guard let word = words.popFirst() else { throw DamagedMessage() }
        return word
    }

    /// Reads a number that fits its type.
    package mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(DamagedMessage)
        -> Number
    {
        guard let number = Number(exactly: try word()) else { throw DamagedMessage() }
        return number
    }

    /// Reads a count: not negative, and small enough that counts can be added.
    package mutating func count() throws(DamagedMessage) -> Int {
        let count = try word()
        guard SharedCount.range.contains(count) else { throw DamagedMessage() }
        return count
    }

    /// Reads a time in nanoseconds of at most some 36 years, so that times can be added.
    package mutating func time() throws(DamagedMessage) -> UInt64 {
        let time: UInt64 = try number()
        guard time <= 1 << 60 else { throw DamagedMessage() }
        return time
    }

    /// Reads the number of a line or column of a text.
    package mutating func line() throws(DamagedMessage) -> Int {
        let line = try word()
        guard TraceDocument.Site.lines.contains(line) else { throw DamagedMessage() }
        return line
    }

    /// Reads a case of an enumeration.
    package mutating func value<Value: RawRepresentable>(_: Value.Type = Value.self) throws(DamagedMessage) -> Value
    where Value.RawValue: FixedWidthInteger {
        guard let value = Value(rawValue: try number()) else { throw DamagedMessage() }
        return value
    }

    package mutating func value<Value: RawRepresentable>(_: Value.Type = Value.self) throws(DamagedMessage) -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: try text()) else { throw DamagedMessage() }
        return value
    }

    package mutating func text() throws(DamagedMessage) -> String { String(decoding: try packedBytes(), as: UTF8.self) }

    /// Reads what `add(packed:)` has written.
    package mutating func packedBytes() throws(DamagedMessage) -> [UInt8] {
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

    package mutating func optional<Value>(
        _ read: (inout WordReader) throws(DamagedMessage) -> Value
    ) throws(DamagedMessage) -> Value? {
        try word() == 0 ? nil : try read(&self)
    }

    package mutating func list<Value>(
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

    package mutating func message<Content: Message>() throws(DamagedMessage) -> Content { try Content(from: &self) }

    package mutating func optional<Content: Message>() throws(DamagedMessage) -> Content? { try optional(Content.init) }

    package mutating func list<Content: Message>() throws(DamagedMessage) -> [Content] { try list(Content.init) }

    /// Must be called when all values have been read: no words may be left.
    package func finish() throws(DamagedMessage) {
        guard isEmpty else { throw DamagedMessage() }
    }
}

/// A damaged message. The scenario must have overwritten the memory of the process that sent it.
package struct DamagedMessage: Error, Equatable, CustomStringConvertible {
    package init() {}

    package var description: String { Self.explanation }

    /// The error message about the sending process.
    static let explanation =
        "a search process sent a damaged report; the scenario probably writes to memory that it does not own"
}
