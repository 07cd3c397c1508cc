/// Reads what a `WordWriter` has gathered.
struct WordReader {
    private var words: ArraySlice<Int>

    init(_ words: ArraySlice<Int>) { self.words = words }

    var isEmpty: Bool { words.isEmpty }

    mutating func word() -> Int { words.removeFirst() }

    mutating func text() -> String {
        String(decoding: (0..<word()).map { _ in UInt8(truncatingIfNeeded: word()) }, as: UTF8.self)
    }

    mutating func optional<Value>(_ read: (inout WordReader) -> Value) -> Value? {
        word() == 0 ? nil : read(&self)
    }

    mutating func list<Value>(_ read: (inout WordReader) -> Value) -> [Value] {
        (0..<word()).map { _ in read(&self) }
    }
}
