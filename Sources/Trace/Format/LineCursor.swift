/// Iterates over the lines of a saved trace. Empty lines are skipped, but counted.
struct LineCursor {
    struct Line {
        /// The number of the line, from 1.
        var number: Int
        /// The indices of its bytes, without the newline.
        var range: Range<Int>
        /// Whether a newline ends it. The last line of a file whose writer was killed has none.
        var isEnded: Bool
    }

    private let bytes: [UInt8]
    private var position = 0
    private var number = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Line? {
        while position < bytes.count {
            let start = position
            var end = start
            while end < bytes.count && bytes[end] != UInt8(ascii: "\n") { end += 1 }
            position = end + 1
            number += 1
            if end > start { return Line(number: number, range: start..<end, isEnded: end < bytes.count) }
        }
        return nil
    }
}

/// A file is not a valid saved trace: the line with the error, and what was expected there.
package struct TraceFormatError: Error, Equatable, CustomStringConvertible {
    /// The number of the line, from 1.
    package var line: Int
    package var message: String

    package var description: String { "line \(line): \(message)" }
}
