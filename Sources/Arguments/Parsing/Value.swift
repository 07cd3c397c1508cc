import Text

/// What a word of a command line says, once it has been read.
package enum Value: Hashable, Sendable {
    case integer(Int)
    case seed(UInt64)
    /// In nanoseconds.
    case duration(UInt64)
    /// A choice, a path, a scenario or free text.
    case text(String)

    /// The word that gives this value again, for a command line that the user can paste.
    package var word: String {
        switch self {
        case .integer(let number): String(number)
        case .seed(let number): String(number)
        case .duration(let nanoseconds): DurationText.write(nanoseconds)
        case .text(let text): text
        }
    }
}
