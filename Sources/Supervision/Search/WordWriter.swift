/// Encodes values as words, to send them to another process of the same program.
struct WordWriter {
    private(set) var words: [Int] = []

    mutating func add(_ word: Int) { words.append(word) }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        for byte in text.utf8 { add(Int(byte)) }
    }

    /// Bytes, several to a word. For texts that are large.
    mutating func add(packed bytes: [UInt8]) {
        add(bytes.count)
        for start in stride(from: 0, to: bytes.count, by: 8) {
            let piece = bytes[start..<min(start + 8, bytes.count)]
            add(piece.reversed().reduce(0) { $0 << 8 | Int($1) })
        }
    }

    /// Nil is distinguished from every value.
    mutating func add<Value>(_ value: Value?, _ write: (inout WordWriter, Value) -> Void) {
        add(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }

    mutating func add<Value>(_ values: [Value], _ write: (inout WordWriter, Value) -> Void) {
        add(values.count)
        for value in values { write(&self, value) }
    }
}
