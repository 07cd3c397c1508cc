import Text

/// A `.lab` file's bytes, with what is needed to find lines and columns.
package struct SourceText: Equatable, Sendable {
    /// The name in messages and trace sites: a path, or a name for a text that is not a file.
    package let name: String
    package let bytes: [UInt8]
    private let lineStarts: [Int]
    /// The numbers of UTF-8 continuation bytes before the offsets 0, `stride`, 2 × `stride` and so on, so that columns
    /// of long lines are found at once.
    private let continuations: [Int]

    package init(name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        var starts = [0]
        var continuations: [Int] = []
        var count = 0
        // A text that is rejected for its size is not scanned.
        for (position, byte) in (bytes.count <= Limits.fileBytes ? bytes : []).enumerated() {
            if position % Self.stride == 0 { continuations.append(count) }
            if byte == UInt8(ascii: "\n") { starts.append(position + 1) }
            if byte.continuesCharacter { count += 1 }
        }
        lineStarts = starts
        self.continuations = continuations
    }

    package init(name: String, _ text: String) { self.init(name: name, Array(text.utf8)) }

    /// Whether the bytes can be text. A null character, or control characters that make up more than a tenth, show that
    /// they are not.
    package var isText: Bool {
        let controls = bytes.prefix(Limits.fileBytes).count { $0 < 0x20 && !(0x09...0x0D).contains($0) }
        return !bytes.contains(0) && controls * 10 <= bytes.count
    }

    package var lineCount: Int { lineStarts.count }

    /// The line and column of a byte.
    package func site(of offset: Int) -> Site {
        let line = lineIndex(of: offset)
        let end = min(max(0, offset), bytes.count)
        let column =
            end - lineStarts[line] - (continuationCount(before: end) - continuationCount(before: lineStarts[line]))
        return Site(line: line + 1, column: column + 1)
    }

    /// The number of the line that contains the byte, counted from 1.
    func line(of offset: Int) -> Int { lineIndex(of: offset) + 1 }

    /// The offsets of a line's bytes, without its line ending.
    ///
    /// - Parameter line: counted from 1.
    func range(ofLine line: Int) -> Range<Int> {
        let start = lineStarts[line - 1]
        var end = line < lineStarts.count ? lineStarts[line] - 1 : bytes.count
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<end
    }

    /// The text of the span, clamped to the file. Bytes that are not UTF-8 become replacement characters.
    package func text(_ span: Span) -> String {
        let range = (span.start..<max(span.start, span.end)).clamped(to: 0..<bytes.count)
        return String(decoding: bytes[range], as: UTF8.self)
    }

    private func lineIndex(of offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The distance in bytes between elements of `continuations`.
    private static let stride = 64

    /// The number of UTF-8 continuation bytes before the offset. They do not count as columns.
    private func continuationCount(before offset: Int) -> Int {
        let block = offset / Self.stride
        guard block < continuations.count else {
            // The offset is the end of the text, and a multiple of the stride.
            return continuations.last.map { $0 + rest(from: block - 1, offset) } ?? 0
        }
        return continuations[block] + rest(from: block, offset)
    }

    /// The number of continuation bytes from the beginning of the block to the offset.
    private func rest(from block: Int, _ offset: Int) -> Int {
        bytes[block * Self.stride..<offset].reduce(0) { $0 + ($1.continuesCharacter ? 1 : 0) }
    }
}

extension SourceText {
    /// The word that begins at a place, or the single character there.
    package func wordSpan(at site: Site) -> Span {
        let line = range(ofLine: min(max(1, site.line), lineCount))
        var start = line.lowerBound
        var column = 1
        while start < line.upperBound, column < site.column {
            let next = bytes[(start + 1)..<line.upperBound].firstIndex { !$0.continuesCharacter }
            start = next ?? line.upperBound
            column += 1
        }
        var end = start
        while end < line.upperBound, bytes[end] >= 0x80 || Lexer.isWordByte(bytes[end]) { end += 1 }
        return Span(start, max(end, min(start + 1, line.upperBound)))
    }
}

/// A place in a source text, as messages show it: lines and columns are counted from 1, one column per Unicode scalar.
package struct Site: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A range of bytes in the source text: the offsets of its first byte, and of the one after its last.
package struct Span: Hashable, Sendable {
    package var start: Int
    package var end: Int

    package init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = end
    }

    /// The span from the beginning of this one to the end of the other.
    package func through(_ other: Span) -> Span { Span(start, max(end, other.end)) }
}

/// The limits of a `.lab` file. Any file is safe to read: reading takes little time and memory, and no deep recursion,
/// whatever the contents.
package enum Limits {
    /// Bytes of a file: 1 MiB.
    package static let fileBytes = 1 << 20
    /// Lines of a file. The instructions that a program is compiled to have 16 bits for their line.
    package static let lines = Int(UInt16.max)
    /// The nesting depth of blocks and expressions together.
    package static let nesting = 200
    /// Bytes of a name.
    package static let nameBytes = 100
    /// Bytes of a string literal.
    package static let textBytes = 1000
    /// Maximum number of reported errors.
    package static let errors = 20
    /// Maximum number of reported warnings.
    package static let warnings = 20

    /// Elements of an array, and initial values of a list.
    package static let elements = 1024
    /// Objects of a program, such as shared variables and locks. Each element of an array counts.
    package static let objects = 4096
    /// Threads of a program.
    package static let threads = 256
    package static let parameters = 32
    package static let functions = 256
    /// Variables of one thread's or function's body.
    package static let variables = 256
    /// Variables of all functions in a chain of nested calls.
    package static let stackedVariables = 4096
}
