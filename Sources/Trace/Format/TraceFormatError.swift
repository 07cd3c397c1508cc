/// A file that is no saved trace: the line, and what should have stood there.
package struct TraceFormatError: Error, Equatable, CustomStringConvertible {
    /// From 1.
    package var line: Int
    package var message: String

    package var description: String { "line \(line): \(message)" }
}
