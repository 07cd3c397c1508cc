/// The terminal's own colors, so that they suit the reader's background.
enum Colour: Equatable {
    case plain
    case dim
    case bold
    case good
    case bad
    /// No finding, but no proof either.
    case doubtful
    /// The color of a thread. There are six, which repeat.
    case thread(Int)

    static let reset = "\u{1B}[0m"

    /// The escape sequence that turns it on. Empty for plain.
    var escape: String {
        switch self {
        case .plain: ""
        case .dim: "\u{1B}[2m"
        case .bold: "\u{1B}[1m"
        case .good: "\u{1B}[1;32m"
        case .bad: "\u{1B}[1;31m"
        case .doubtful: "\u{1B}[1;33m"
        case .thread(let number): Self.threads[number % Self.threads.count]
        }
    }

    /// Cyan, yellow, magenta, green, blue, bright red: neighboring colors differ, and the red of findings is bold.
    private static let threads = [36, 33, 35, 32, 34, 91].map { "\u{1B}[\($0)m" }
}
