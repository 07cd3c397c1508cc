/// A way to complete the last word of a command line.
package enum Completion: Hashable, Sendable {
    case word(Word)
    /// Paths, which the shell knows better than we do.
    case files

    /// The line that the completion scripts read: a word and its description with a tab between them, or a line
    /// without a tab that asks the shell to complete paths.
    package var line: String {
        switch self {
        case .word(let word): "\(word.text)\t\(word.help.printable)"
        case .files: CompletionScript.filesMark
        }
    }
}
