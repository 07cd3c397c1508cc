/// A `.lab` file's bytes, and the starts of its lines.
package struct SourceText: Equatable, Sendable {
    /// The name in messages and trace sites: a path, or a name for a text that is not a file.
    package let name: String
    package let bytes: [UInt8]
    private let lineStarts: [Int]
    /// The number of UTF-8 continuation bytes before every 64th byte, so that columns of long lines are found at once.
    private let continuations: [Int]

    package init(name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        var starts = [0]
        var continuations: [Int] = []
        var count = 0
        // A text that is rejected for its size is not examined.
        for (position, byte) in (bytes.count <= Limits.fileBytes ? bytes : []).enumerated() {
            if position % Self.stride == 0 { continuations.append(count) }
            if byte == UInt8(ascii: "\n") { starts.append(position + 1) }
            if byte & 0xC0 == 0x80 { count += 1 }
        }
        lineStarts = starts
        self.continuations = continuations
    }

    package init(name: String, _ text: String) { self.init(name: name, Array(text.utf8)) }

    /// Whether it can be a text at all: a null character, or many control characters, show that it is not.
    package var isText: Bool {
        let controls = bytes.prefix(Limits.fileBytes).count { $0 < 0x20 && !(0x09...0x0D).contains($0) }
        return !bytes.contains(0) && controls * 10 <= bytes.count
    }

    package var lineCount: Int { lineStarts.count }

    /// The line and column of a byte.
    package func site(of offset: Int) -> Site {
        let line = lineIndex(of: offset)
        let end = min(offset, bytes.count)
        let column =
            end - lineStarts[line] - (continuationCount(before: end) - continuationCount(before: lineStarts[line]))
        return Site(line: line + 1, column: column + 1)
    }

    /// The line that holds the byte, counted from 1.
    func line(of offset: Int) -> Int { lineIndex(of: offset) + 1 }

    /// The bytes of a line, counted from 1, without its end.
    func range(ofLine line: Int) -> Range<Int> {
        let start = lineStarts[line - 1]
        var end = line < lineStarts.count ? lineStarts[line] - 1 : bytes.count
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<end
    }

    /// The text there. Bytes that are not UTF-8 are shown as replacement characters.
    package func text(_ span: Span) -> String { String(decoding: bytes[span.start..<span.end], as: UTF8.self) }

    private func lineIndex(of offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private static let stride = 64

    /// Continuation bytes of UTF-8 do not count as columns.
    private func continuationCount(before offset: Int) -> Int {
        let block = offset / Self.stride
        guard block < continuations.count else {
            return continuations.last.map { $0 + rest(from: block - 1, offset) } ?? 0
        }
        return continuations[block] + rest(from: block, offset)
    }

    private func rest(from block: Int, _ offset: Int) -> Int {
        bytes[block * Self.stride..<offset].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 1 : 0) }
    }
}
