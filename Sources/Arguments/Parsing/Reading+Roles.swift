/// What a word of a command line is, whether the line is valid or not.
package enum WordRole: Equatable, Sendable {
    /// A positional.
    case word(String)
    /// An option without its dashes.
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
