import Text

/// The errors of a command line. `message` describes each to the user.
package enum ArgumentError: Error, Equatable, CustomStringConvertible {
    case noCommand(tool: String)
    case unknownCommand(String, tool: String, suggestion: String?)
    /// The word is the former name of a command. `now`: what to type instead, with its quotation marks.
    case formerCommand(String, now: String)
    /// The command no longer has the option. `now`: the option, or the command line, to type instead.
    case formerOption(String, now: String)
    /// `help` was asked about something that is neither a command nor a page.
    case unknownTopic(String, tool: String, suggestion: String?)
    case unknownScenario(String, suggestion: String?, hint: String)
    /// `context`: the command, with its scenario if there is one, such as `run deadlock`. `elsewhere`: other commands
    /// that have an option of this name.
    case unknownOption(String, context: String, suggestion: String?, elsewhere: [String] = [])
    /// An option of a command comes before the command. `corrected`: the command line with the option after it.
    case optionBeforeCommand(corrected: String)
    /// Two options that cannot be given together.
    case exclusive(String, String)
    case missingValue(Option)
    /// An option that takes no value has one.
    case valueOfFlag(String, Option)
    /// The word is not of the required kind. `place`: the option or positional to which it belongs: `--seed`, `NAME`.
    case unfitting(String, place: String, kind: ValueKind)
    case missingPositional(Positional, context: String)
    /// A word for which the command has no positional.
    case surplus(String, context: String)
    /// Either word could be the scenario: with the options of the first one, the second is in the scenario's position.
    case unclearScenario(String, String)

    package var description: String { message }
}

extension ArgumentError {
    /// One line: what is wrong, where, and what to write instead.
    package var message: String {
        switch self {
        case .noCommand(let tool):
            "no command given: '\(tool) help' lists the commands"
        case .unknownCommand(let word, let tool, let suggestion):
            "unknown command \(quoted(word)): " + (suggestion.map(didYouMean) ?? "'\(tool) help' lists the commands")
        case .formerCommand(let word, let now):
            "\(quoted(word)) is now \(now)"
        case .formerOption(let spelling, let now):
            "\(spelling.printable) is now \(now)"
        case .unknownTopic(let word, let tool, let suggestion):
            "no command or page is called \(quoted(word)): "
                + (suggestion.map(didYouMean) ?? "'\(tool) help' lists them")
        case .unknownScenario(let word, let suggestion, let hint):
            "unknown scenario \(quoted(word))"
                + (suggestion.map { ": " + didYouMean($0) } ?? (hint.isEmpty ? "" : ": " + hint))
        case .unknownOption(let spelling, let context, let suggestion, let elsewhere):
            "unknown option \(quoted(spelling)) for \(quoted(context))"
                + (elsewhere.isEmpty
                    ? suggestion.map { ": " + didYouMean($0) } ?? ""
                    : ": \(Self.list(elsewhere)) \(elsewhere.count == 1 ? "has" : "have") it")
        case .optionBeforeCommand(let corrected):
            "options follow the command: \(corrected.printable)"
        case .exclusive(let first, let second):
            "\(first) and \(second) cannot be used together"
        case .missingValue(let option):
            "\(option.spelling) needs a value: \(option.usage)"
        case .valueOfFlag(let word, let option):
            "\(option.spelling)=\(word.printable): does not take a value: write \(option.spelling)"
        case .unfitting(let word, let place, let kind):
            "\(place) \(bare(word)): must be \(requirement(of: kind, for: word))" + similarChoice(word, kind)
        case .missingPositional(let positional, let context):
            "\(quoted(context)) needs \(positional.name): \(positional.help.lowercasedFirst)"
        case .surplus(let word, let context):
            "unexpected \(quoted(word)) after \(quoted(context))"
        case .unclearScenario(let first, let second):
            "\(quoted(first)) or \(quoted(second)): either could be the scenario; write the scenario first,"
                + " then its options"
        }
    }

    /// The names of commands in a list, `'run' and 'check'`: the first three, if there are more.
    private static func list(_ commands: [String]) -> String {
        let names = commands.prefix(3).map { "'\($0)'" }
        return names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    }

    private func quoted(_ word: String) -> String { "'\(word.printable)'" }

    /// The word, in quotation marks only if it is empty or contains white space.
    private func bare(_ word: String) -> String {
        word.isEmpty || word.contains(where: \.isWhitespace) ? quoted(word) : word.printable
    }

    private func didYouMean(_ word: String) -> String { "did you mean \(quoted(word))?" }

    /// What a word of this kind must be: only the range, if the word is a number or a duration as required.
    private func requirement(of kind: ValueKind, for word: String) -> String {
        switch kind {
        case .integer(let range) where Int(word) != nil:
            kind.limits ?? "from \(range.lowerBound) to \(range.upperBound)"
        case .duration where DurationText.read(word) != nil: kind.limits ?? kind.description
        default: kind.description
        }
    }

    /// `; did you mean 'lanes'?` if the kind is a choice with a similar word. Otherwise empty.
    private func similarChoice(_ word: String, _ kind: ValueKind) -> String {
        guard case .choice(let words) = kind else { return "" }
        return closest(to: word, among: words.map(\.text)).map { "; " + didYouMean($0) } ?? ""
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
