import Text

/// A problem in a `.lab` file. The families of problems are closed enums, which contain all their messages.
package protocol Problem: Error {
    /// The problem, as one sentence without its full stop.
    var message: String { get }
    /// How to fix it, shown next to the caret.
    var help: String? { get }
}

extension Problem {
    package var help: String? { nil }
}

/// A name or another piece of the file, made safe to show.
package func quoted(_ text: some StringProtocol) -> String { "'\(text.printable)'" }

/// The closest known word, or all known words if they are few.
package func namingHint(for word: String, among known: [String]) -> String? {
    if let close = suggestion(for: word, among: known) { return close }
    return (1...6).contains(known.count) ? "available: \(known.map(\.printable).joined(separator: ", "))" : nil
}

/// "did you mean 'count'?", if one of the known words is close.
package func suggestion(for word: String, among known: [String]) -> String? {
    closest(to: word, among: known).map { "did you mean '\($0)'?" }
}
