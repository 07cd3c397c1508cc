/// The comments and string literals of a source file in Swift or C: what people read in it, apart from its code.
struct SourceProse {
    private static let slashes = [UInt8](repeating: UInt8(ascii: "/"), count: 2)

    private let bytes: [UInt8]
    private var position = 0
    private var prose: [UInt8] = []

    /// The prose of the file. Its lines have the same numbers as in the file.
    static func text(of source: String) -> String {
        var reader = SourceProse(bytes: Array(source.utf8))
        reader.readCode(until: nil)
        return String(decoding: reader.prose, as: UTF8.self)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads up to the parenthesis that closes the code of an interpolation, or to the end of the file.
    private mutating func readCode(until end: UInt8?) {
        var depth = 0
        while position < bytes.count {
            if isAt(Self.slashes) {
                readComment()
            } else if let hashes = hashesBeforeQuote() {
                readString(hashes)
            } else if depth == 0, bytes[position] == end {
                position += 1
                return
            } else {
                if bytes[position] == UInt8(ascii: "(") { depth += 1 }
                if bytes[position] == UInt8(ascii: ")") { depth -= 1 }
                skip()
            }
        }
    }

    /// Keeps the comment without its code spans.
    private mutating func readComment() {
        var isCode = false
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
            if bytes[position] == UInt8(ascii: "`") {
                isCode.toggle()
                skip()
            } else if isCode {
                skip()
            } else {
                keep()
            }
        }
    }

    /// - Parameter hashes: the number of `#` before the quotation mark.
    private mutating func readString(_ hashes: Int) {
        position += hashes
        let mark = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        let triple = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
        let quote = isAt(triple) ? triple : Array(triple.prefix(1))
        let end = quote + mark
        let escape = [UInt8(ascii: "\\")] + mark
        let interpolation = escape + [UInt8(ascii: "(")]
        position += quote.count
        while position < bytes.count, !isAt(end) {
            if isAt(interpolation) {
                position += interpolation.count
                readCode(until: UInt8(ascii: ")"))
            } else if isAt(escape) {
                position += escape.count
                skip()
            } else {
                keep()
            }
        }
        position += end.count
        prose.append(UInt8(ascii: " "))
    }

    // MARK: - Bytes

    private func isAt(_ text: [UInt8]) -> Bool {
        bytes[position] == text[0] && bytes[position...].starts(with: text)
    }

    /// The number of `#` before the quotation mark that begins a string here. Nil: no string begins here.
    private func hashesBeforeQuote() -> Int? {
        guard bytes[position] == UInt8(ascii: "#") || bytes[position] == UInt8(ascii: "\"") else { return nil }
        let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        return position + hashes < bytes.count && bytes[position + hashes] == UInt8(ascii: "\"") ? hashes : nil
    }

    private mutating func keep() {
        prose.append(bytes[position])
        position += 1
    }

    /// Leaves a byte of code out: a line end is kept, everything else is a gap between words.
    private mutating func skip() {
        if bytes[position] == UInt8(ascii: "\n") {
            prose.append(bytes[position])
        } else if prose.last != UInt8(ascii: " ") {
            prose.append(UInt8(ascii: " "))
        }
        position += 1
    }
}
