import Text

/// The value of a word on a command line.
package enum Value: Hashable, Sendable {
    case integer(Int)
    case seed(UInt64)
    /// In nanoseconds.
    case duration(UInt64)
    /// A choice, a path, a scenario or free text.
    case text(String)

    /// The word that yields this value, for a command line to paste.
    package var word: String {
        switch self {
        case .integer(let number): String(number)
        case .seed(let number): String(number)
        case .duration(let nanoseconds): DurationText.write(nanoseconds)
        case .text(let text): text
        }
    }
}
