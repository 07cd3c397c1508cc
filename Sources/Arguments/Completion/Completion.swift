import Text

/// A way to complete the last word of a command line.
package enum Completion: Hashable, Sendable {
    case word(KnownWord)
    /// Paths of files whose names end with this suffix, and of folders. The shell completes them.
    case files(ending: String)

    /// The line that the completion scripts read: a word and its description with a tab between them, or a line
    /// without a tab that asks the shell to complete paths: `:files` and how they end.
    package var line: String {
        switch self {
        case .word(let word): "\(word.text)\t\(word.help.printable)"
        case .files(let ending): CompletionScript.filesMark + ending
        }
    }
}
