/// The role of a word of a command line, for callers that examine lines which may be invalid.
package enum WordRole: Equatable, Sendable {
    /// A positional.
    case word(String)
    /// An option, whose name is without dashes, and its value.
    case option(name: String, value: String?)
}

extension Command {
    /// The roles of the words that follow the command's name, as far as its own options decide them.
    package func roles(of words: [String]) -> [WordRole] {
        Reading(words, options: OptionTable(self), scenarios: .none).parts.map { part in
            switch part {
            case .positional(let word): .word(word)
            case .option(let name, _, let value): .option(name: name, value: value)
            }
        }
    }
}
