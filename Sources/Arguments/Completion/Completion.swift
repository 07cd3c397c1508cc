import Text

/// A way to complete the last word of a command line.
package enum Completion: Hashable, Sendable {
    case word(KnownWord)
    /// Paths of files whose names end with this suffix, and of folders. The shell completes them.
    case files(ending: String)

    /// The completion as a line for the completion scripts: a word and its description with a tab between them, or,
    /// without a tab, `:files` and a suffix such as `.lab`.
    package var line: String {
        switch self {
        case .word(let word): "\(word.text)\t\(word.help.printable)"
        case .files(let ending): CompletionScript.filesMark + ending
        }
    }
}

extension Tool {
    /// Ways to complete the last word of a command line.
    ///
    /// - Parameter words: the words after the tool's name. The last one may be empty.
    package func completions(of words: [String], scenarios: KnownScenarios = .none) -> [Completion] {
        guard let first = words.first, words.count > 1 else {
            let word = words.first ?? ""
            return matching(word, word.hasPrefix("-") ? Self.options.map(\.word) : commands.map(\.word))
        }
        guard let command = command(named: first) else { return [] }
        return CommandLineCompleter(tool: name, command: command, scenarios: scenarios)
            .completions(of: words.dropFirst())
    }
}

/// Completes what follows a command's name.
private struct CommandLineCompleter {
    let tool: String
    let command: Command
    let scenarios: KnownScenarios

    func completions(of words: ArraySlice<String>) -> [Completion] {
        let (before, last) = (words.dropLast(), words.last ?? "")
        let options = knownOptions(before)
        let reading = Reading(before, options: options, scenarios: scenarios)

        // If the word before is an option that lacks its value, the last word is the value. A value cannot begin with
        // two dashes.
        if let option = reading.waiting, !last.hasPrefix("--") { return values(last, of: option.kind) }
        if last.hasPrefix("-"), !reading.optionsEnded {
            guard let equals = last.firstIndex(of: "=") else { return optionNames(last, options, reading) }
            guard let option = options[last[..<equals].dropFirst(2)] else { return [] }
            return values(String(last[last.index(after: equals)...]), of: option.kind).map { completion in
                guard case .word(let word) = completion else { return completion }
                return .word(KnownWord("\(option.spelling)=\(word.text)", word.help))
            }
        }
        // If nothing else can be completed, the user may be looking for the options.
        guard let positional = command.positional(at: reading.positionals.count) else {
            return last.isEmpty && !reading.optionsEnded ? optionNames(last, options, reading) : []
        }
        return values(last, of: positional.kind)
    }

    /// The command's options, and those of the scenario that the words name.
    private func knownOptions(_ words: ArraySlice<String>) -> OptionTable {
        let own = OptionTable(command)
        let parser = CommandLineParser(tool: tool, command: command, scenarios: scenarios)
        let scenario = parser.scenario(in: Reading(words, options: own, scenarios: scenarios))
        return OptionTable(command, scenario: scenario.map(scenarios.options) ?? [])
    }

    /// Completes the names of the options that can still be given.
    private func optionNames(_ word: String, _ options: OptionTable, _ reading: Reading) -> [Completion] {
        let given = options.all.filter(reading.names)
        let used = given.filter { !$0.repeats }.map(\.name)
        let excluded = Set(used + given.flatMap { command.exclusions(of: $0.name) })
        return matching(word, options.all.filter { !excluded.contains($0.name) }.map(\.word))
    }

    /// Completes the value of an option or a positional.
    private func values(_ word: String, of kind: ValueKind) -> [Completion] {
        switch kind {
        case .choice(let words): return matching(word, words)
        case .word(let vocabulary): return words(word, of: vocabulary)
        case .file: return [.files(ending: "")]
        case .scenario: return matching(word, scenarios.words) + [.files(ending: scenarios.fileSuffix)]
        case .scenarioOrWord(let vocabulary):
            return words(word, of: vocabulary) + matching(word, scenarios.words)
                + [.files(ending: scenarios.fileSuffix)]
        case .scenarioOrFile: return matching(word, scenarios.words) + [.files(ending: "")]
        case .flag, .integer, .seed, .duration, .text: return []
        }
    }
}

extension CommandLineCompleter {
    /// Completes the words of a vocabulary: in a list with commas, only the last element.
    private func words(_ text: String, of vocabulary: Vocabulary) -> [Completion] {
        let comma = vocabulary.isList ? text.lastIndex(of: ",") : nil
        let kept = comma.map { String(text[...$0]) } ?? ""
        return matching(text, scenarios.vocabulary(vocabulary).map { KnownWord(kept + $0.text, $0.help) })
    }
}

/// The words that begin with this text, except words that are not shown as they are (`printable`): control characters
/// would disturb the terminal or the lines that the shell reads.
private func matching(_ beginning: String, _ words: [KnownWord]) -> [Completion] {
    words.filter { $0.text.hasPrefix(beginning) && $0.text == $0.text.printable }.map { .word($0) }
}

extension Option {
    fileprivate var word: KnownWord { KnownWord(spelling, help) }
}

extension Command {
    fileprivate var word: KnownWord { KnownWord(name, summary) }
}
