import Text

/// Something wrong with a `.lab` file. The families of problems are closed enums; their words stand here, with them, and
/// nowhere else.
package protocol Problem: Error {
    /// What is wrong, in one sentence without a full stop.
    var message: String { get }
    /// What to do about it, shown beside the caret.
    var help: String? { get }
}

extension Problem {
    package var help: String? { nil }
}

/// A name or another piece of the file, made safe to show.
package func quoted(_ text: some StringProtocol) -> String { "'\(text.printable)'" }

/// The close word, or all that are known if they are few.
package func namingHint(for word: String, among known: [String]) -> String? {
    if let close = suggestion(for: word, among: known) { return close }
    return (1...6).contains(known.count) ? "available: \(known.map(\.printable).joined(separator: ", "))" : nil
}

/// "did you mean 'count'?", if one of the known words is close.
package func suggestion(for word: String, among known: [String]) -> String? {
    closest(to: word, among: known).map { "did you mean '\($0)'?" }
}
