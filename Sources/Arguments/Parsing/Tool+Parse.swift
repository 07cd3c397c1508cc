import Text

extension Tool {
    /// Reads the words that follow the tool's name.
    package func parse(_ words: [String], scenarios: KnownScenarios = .none) throws(ArgumentError) -> Request {
        guard let first = words.first else { throw .noCommand(tool: name) }
        let rest = words.dropFirst()

        switch first {
        case "--help", "-h":
            return try parse(["help"] + rest, scenarios: scenarios)
        case "--version":
            if let word = rest.first { throw .surplus(word, context: "\(name) --version") }
            return .version
        case CompletionScript.hiddenCommand:
            return .complete(Array(rest.first == "--" ? rest.dropFirst() : rest))
        case CompletionScript.manPageCommand:
            return .manPage
        case _ where first.hasPrefix("-"):
            if let corrected = corrected(words, scenarios) {
                throw .optionBeforeCommand(corrected: corrected)
            }
            if first.lowercased() == "-v" { throw .unknownOption(first, context: name, suggestion: "--version") }
            let known = Self.options.map(\.spelling)
            throw .unknownOption(first, context: name, suggestion: closest(to: first, among: known))
        default:
            guard let command = command(named: first) else {
                throw .unknownCommand(first, tool: name, suggestion: closest(to: first, among: commands.map(\.name)))
            }
            let request = try CommandLineParser(command: command, scenarios: scenarios).parse(rest)
            guard command.name == help.command.name, case .command(let parsed) = request else { return request }
            let arguments = help.read(parsed)
            guard let topic = arguments.topic else { return .help(.tool) }
            if pages.contains(where: { $0.text == topic }) { return .help(.page(topic)) }
            return .help(.command(topic, scenario: arguments.scenario))
        }
    }

    /// The word as a shell reads it: of `--title=a b`, the value.
    private static func quoted(_ word: String) -> String {
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return word.quotedForShell }
        return word[...sign] + String(word[word.index(after: sign)...]).quotedForShell
    }

    /// The command line with the options before the command moved to its end, if it can be read then.
    private func corrected(_ words: [String], _ scenarios: KnownScenarios) -> String? {
        for place in words.indices.dropFirst() where !words[place...].contains("--") {
            guard let command = command(named: words[place]) else { continue }
            let rest = words[(place + 1)...] + words[..<place]
            guard (try? CommandLineParser(command: command, scenarios: scenarios).parse(rest[...])) != nil else {
                continue
            }
            return ([name, command.name] + rest.map(Self.quoted)).joined(separator: " ")
        }
        return nil
    }
}
