/// A file that is not a valid saved trace: the line, and what was expected there.
package struct TraceFormatError: Error, Equatable, CustomStringConvertible {
    /// From 1.
    package var line: Int
    package var message: String

    package var description: String { "line \(line): \(message)" }
}
