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
            let known = Self.options.map(\.spelling)
            throw .unknownOption(first, context: name, suggestion: closest(to: first, among: known))
        default:
            guard let command = command(named: first) else {
                throw .unknownCommand(first, tool: name, suggestion: closest(to: first, among: commands.map(\.name)))
            }
            let request = try CommandLineParser(command: command, scenarios: scenarios).parse(rest)
            guard command.name == "help", case .command(let arguments) = request else { return request }
            guard let topic = arguments.text("TOPIC") else { return .help(.tool) }
            if pages.contains(where: { $0.text == topic }) { return .help(.page(topic)) }
            return .help(.command(topic, scenario: arguments.text("SCENARIO")))
        }
    }
}
