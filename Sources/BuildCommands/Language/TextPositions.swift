import Console
import LabSyntax
import Text
import Trace

/// Converts between the positions of the protocol, a line and a number of code units before the place in it, both from
/// 0, and byte offsets in a text.
struct TextPositions {
    /// The code units that positions count.
    enum Encoding: String {
        case utf8 = "utf-8"
        case utf16 = "utf-16"
    }

    private let bytes: [UInt8]
    private let encoding: Encoding
    /// The offset of the first byte of each line.
    private let lineStarts: [Int]

    init(_ bytes: [UInt8], _ encoding: Encoding) {
        self.bytes = bytes
        self.encoding = encoding
        lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// The byte offset of a position. A position beyond the end of its line is taken as the line's end.
    func offset(_ position: JSON?) -> Int {
        guard let line = position?["line"]?.number, let character = position?["character"]?.number, line >= 0 else {
            return 0
        }
        guard line < lineStarts.count else { return bytes.count }
        let start = lineStarts[line]
        let end = line + 1 < lineStarts.count ? lineStarts[line + 1] - 1 : bytes.count
        var place = start
        var units = 0
        while place < end, units < character {
            let next = bytes.endOfCharacter(at: place, in: start..<end)
            units += unitCount(ofLength: next - place)
            place = next
        }
        return place
    }

    /// The position of a byte offset.
    func position(_ offset: Int) -> JSON {
        let end = min(max(0, offset), bytes.count)
        let line = (lineStarts.firstIndex { $0 > end } ?? lineStarts.count) - 1
        var units = 0
        var place = lineStarts[line]
        while place < end {
            let next = bytes.endOfCharacter(at: place, in: place..<bytes.count)
            units += unitCount(ofLength: next - place)
            place = next
        }
        return ["line": JSON(line), "character": JSON(units)]
    }

    func range(_ span: Span) -> JSON { ["start": position(span.start), "end": position(max(span.start, span.end))] }

    /// The range of a whole line, counted from 1, without the white space before it.
    func range(ofLine line: Int) -> JSON {
        let index = min(max(1, line), lineStarts.count) - 1
        var start = lineStarts[index]
        let end = index + 1 < lineStarts.count ? lineStarts[index + 1] - 1 : bytes.count
        while start < end, bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "\t") { start += 1 }
        return range(Span(start, end))
    }

    /// The number of code units of a character that has this length in UTF-8, in bytes.
    private func unitCount(ofLength length: Int) -> Int {
        switch encoding {
        case .utf8: length
        case .utf16: length == 4 ? 2 : 1
        }
    }
}

extension JSON {
    init(_ number: Int) { self = .integer(Int128(number)) }
}
