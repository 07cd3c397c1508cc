import Text

extension Tool {
    /// Parses the words that follow the tool's name.
    package func parse(_ words: [String], scenarios: KnownScenarios = .none) throws(ArgumentError) -> Request {
        guard let first = words.first else { throw .noCommand(tool: name) }
        let rest = words.dropFirst()

        switch first {
        case "--help", "-h":
            return try parse(["help"] + rest, scenarios: scenarios)
        case "--version":
            if let word = rest.first { throw .surplus(word, context: "\(name) --version") }
            return .version
        case "--" + Self.completion:
            guard let word = rest.first else { throw .missingValue(Self.completionOption) }
            if let word = rest.dropFirst().first { throw .surplus(word, context: "\(name) \(first)") }
            return .completionScript(try completionScript(word))
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
                if let now = formerNames[first] { throw .formerCommand(first, now: now) }
                let known = scenarios.suggestion(for: first, instead: .command, among: commands.map(\.name))
                throw .unknownCommand(first, tool: name, suggestion: known)
            }
            if command.name == help.command.name { try requireTopic(rest, scenarios) }
            let request = try CommandLineParser(tool: name, command: command, scenarios: scenarios, others: commands)
                .parse(rest)
            guard command.name == help.command.name, case .command(let parsed) = request else { return request }
            let arguments = help.read(parsed)
            guard let topic = arguments.topic else { return .help(.tool) }
            if pages.contains(where: { $0.text == topic }) { return .help(.page(topic)) }
            return .help(.command(topic, scenario: arguments.scenario))
        }
    }

    /// Throws an error with a suggestion if `help` does not know the topic. The general error for a wrong choice would
    /// list all topics, which are too many.
    private func requireTopic(_ words: ArraySlice<String>, _ scenarios: KnownScenarios) throws(ArgumentError) {
        let reading = Reading(words, options: OptionTable(help.command), scenarios: scenarios)
        guard let word = reading.positionals.first, !topics.contains(word) else { return }
        if let now = formerNames[word] { throw .formerCommand(word, now: now) }
        throw .unknownTopic(
            word, tool: name, suggestion: scenarios.suggestion(for: word, instead: .topic, among: topics))
    }

    /// The last of the tool's options, as `options` declares them.
    private static var completionOption: Option { options[options.count - 1] }

    private func completionScript(_ word: String) throws(ArgumentError) -> CompletionScript {
        guard let script = CompletionScript(rawValue: word) else {
            throw .unfitting(word, place: Self.completionOption.spelling, kind: Self.completionOption.kind)
        }
        return script
    }

    /// The word quoted for a shell. Of an option with a value, only the value is quoted: `--title='a b'`.
    private static func quoted(_ word: String) -> String {
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return word.quotedForShell }
        return word[...sign] + String(word[word.index(after: sign)...]).quotedForShell
    }

    /// The command line with the options before the command moved to its end, if it can be read then.
    private func corrected(_ words: [String], _ scenarios: KnownScenarios) -> String? {
        // After a `--`, the moved options would be positionals.
        for place in words.indices.dropFirst() where !words[place...].contains("--") {
            guard let command = command(named: words[place]) else { continue }
            let rest = words[(place + 1)...] + words[..<place]
            guard (try? CommandLineParser(tool: name, command: command, scenarios: scenarios).parse(rest[...])) != nil
            else {
                continue
            }
            return ([name, command.name] + rest.map(Self.quoted)).joined(separator: " ")
        }
        return nil
    }
}

/// What a command line asks for.
package enum Request: Sendable, Equatable {
    case help(HelpTopic)
    case version
    /// The manual page in mdoc(7): `Tool.manPage`.
    case manPage
    case command(ParsedArguments)
    /// The script for a shell.
    case completionScript(CompletionScript)
    /// A completion script asks how the last of these words can be completed: `Tool.completions(of:scenarios:)`.
    case complete([String])
}

/// Parses the words that follow a command's name. For a command that accepts a scenario's options it reads the words
/// twice: first to find the scenario, and again when the scenario's options are known.
struct CommandLineParser {
    /// The tool's name, for messages.
    let tool: String
    let command: Command
    let scenarios: KnownScenarios
    /// All commands of the tool, to say which others have an option that this one lacks.
    var others: [Command] = []

    func parse(_ words: ArraySlice<String>) throws(ArgumentError) -> Request {
        let own = OptionTable(command)
        let first = Reading(words, options: own, scenarios: scenarios)
        if first.names(.help) {
            let scenario = scenario(in: first).flatMap { scenarios.accepts($0) ? $0 : nil }
            return .help(.command(command.name, scenario: scenario, isBrief: first.asksBriefly))
        }
        guard command.takesScenarioOptions else { return .command(try check(first, against: own, scenario: nil)) }

        // Without the scenario, unknown options may be the scenario's. So a missing scenario is reported first.
        guard let scenario = scenario(in: first) else {
            let missing = command.positionals.first { $0.kind.canBeScenario }
            if let path = first.dashedPath {
                throw .unknownOption(path, context: command.name, suggestion: "./" + path)
            }
            if let missing, missing.isRequired { throw .missingPositional(missing, context: command.name) }
            return .command(try check(first, against: own, scenario: nil))
        }
        try requireKnown(scenario)

        let merged = OptionTable(command, scenario: scenarios.options(scenario))
        let second = Reading(words, options: merged, scenarios: scenarios)
        let arguments = try check(second, against: merged, scenario: scenario)
        // With the scenario's options, another word may be in the scenario's position: an option before it may turn out
        // to be a flag, or to take a value that is itself a scenario's name.
        if let other = self.scenario(in: second), other != scenario { throw .unclearScenario(scenario, other) }
        return .command(arguments)
    }

    /// The word in the scenario's position.
    func scenario(in reading: Reading) -> String? {
        guard command.takesScenarioOptions else { return nil }
        return zip(command.positionals, reading.positionals).first { $0.0.kind.canBeScenario }?.1
    }

    private func requireKnown(_ scenario: String) throws(ArgumentError) {
        guard scenarios.accepts(scenario) else { throw scenarios.unknown(scenario) }
    }

    /// Checks the words against the declared options and positionals, and converts them to values.
    private func check(_ reading: Reading, against options: OptionTable, scenario: String?) throws(ArgumentError)
        -> ParsedArguments
    {
        let context = scenario.map { "\(command.name) \($0)" } ?? command.name
        var values: [String: [Value]] = [:]
        var flags: Set<String> = []
        var positionalCount = 0

        for part in reading.parts {
            switch part {
            case .positional(let word):
                guard let positional = command.positional(at: positionalCount) else {
                    throw .surplus(word, context: context)
                }
                positionalCount += 1
                values[positional.name, default: []].append(try value(word, of: positional))
            case .option(let name, let spelling, let word):
                guard let option = options[name] else {
                    if let former = command.formerOptions[name] {
                        throw .formerOption(spelling, now: former.now(of: tool))
                    }
                    let path = reading.dashedPath == spelling ? "./" + spelling : nil
                    let known = path ?? closest(to: spelling, among: options.all.map(\.spelling))
                    let elsewhere = others.filter { $0.options.contains { $0.spelling == spelling } }.map(\.name)
                    throw .unknownOption(spelling, context: context, suggestion: known, elsewhere: elsewhere)
                }
                guard let value = try value(word, of: option) else {
                    flags.insert(name)
                    continue
                }
                // If an option is given twice, the last value counts, so that the options of an alias can be
                // overridden.
                values[name] = (option.repeats ? values[name] ?? [] : []) + [value]
            }
        }

        if let missing = command.positionals.dropFirst(positionalCount).first(where: \.isRequired) {
            throw .missingPositional(missing, context: command.name)
        }
        for group in command.exclusive {
            let given = group.filter { flags.contains($0) || values[$0] != nil }
            if given.count > 1 { throw .exclusive("--" + given[0], "--" + given[1]) }
        }
        return ParsedArguments(
            command: command.name, given: values, flags: flags, options: options, positionals: command.positionals)
    }

    private func value(_ word: String, of positional: Positional) throws(ArgumentError) -> Value {
        if positional.kind.canBeScenario { try requireKnown(word) }
        guard let value = positional.kind.read(word) else {
            throw .unfitting(word, place: positional.name, kind: positional.kind)
        }
        return value
    }

    /// The value of an option. Nil for a flag.
    private func value(_ word: String?, of option: Option) throws(ArgumentError) -> Value? {
        guard option.kind.takesValue else {
            if let word { throw .valueOfFlag(word, option) }
            return nil
        }
        guard let word else { throw .missingValue(option) }
        guard let value = option.kind.read(word) else {
            throw .unfitting(word, place: option.spelling, kind: option.kind)
        }
        return value
    }
}

/// The arguments of a parsed and checked command line. A command reads them by their declarations
/// (`TypedCommand.read`).
package struct ParsedArguments: Sendable, Equatable {
    /// The command's name.
    package let command: String
    /// The given options of the scenario that have values, by name.
    let scenario: [String: Value]
    /// The names of the given options of the scenario that have no value.
    let scenarioFlags: Set<String>
    /// The values of each option and positional, by name: those given, or else the default. Empty: none was given, and
    /// there is no default, or the option is a flag.
    private let values: [String: [Value]]
    /// The names of the options and positionals that were given.
    private let givenNames: Set<String>

    init(
        command: String, given values: [String: [Value]], flags: Set<String>, options: OptionTable,
        positionals: [Positional]
    ) {
        let defaults =
            options.all.map { ($0.name, $0.defaultValue.map { [$0] } ?? []) } + positionals.map { ($0.name, []) }
        self.command = command
        let names = Set(options.scenarios.map(\.name))
        scenario = values.filter { names.contains($0.key) }.compactMapValues(\.first)
        scenarioFlags = flags.intersection(names)
        self.values = values.merging(defaults) { value, _ in value }
        givenNames = flags.union(values.keys)
    }

    /// Whether the option was given explicitly.
    func isGiven(_ name: String) -> Bool {
        precondition(values[name] != nil, "'\(name)' is not declared for '\(command)'")
        return givenNames.contains(name)
    }

    /// The options of the command that were given.
    package func given(of command: Command) -> [Option] { command.options.filter { givenNames.contains($0.name) } }

    /// The options of the command that take a path, and that were given.
    package func givenPaths(of command: Command) -> [Option] {
        command.options.filter { $0.kind == .file && givenNames.contains($0.name) }
    }

    func integer(_ name: String) -> Int? {
        all(name).first.map { value in
            guard case .integer(let number) = value else { preconditionFailure("'\(name)' is not an integer") }
            return number
        }
    }

    func seed(_ name: String) -> UInt64? {
        all(name).first.map { value in
            guard case .seed(let number) = value else { preconditionFailure("'\(name)' is not a seed") }
            return number
        }
    }

    /// The value of a duration, in nanoseconds.
    func duration(_ name: String) -> UInt64? {
        all(name).first.map { value in
            guard case .duration(let nanoseconds) = value else { preconditionFailure("'\(name)' is not a duration") }
            return nanoseconds
        }
    }

    /// The value of a choice, a path, a scenario or free text.
    func text(_ name: String) -> String? { texts(name).first }

    /// All words of a positional, or all values of an option that can be repeated.
    func texts(_ name: String) -> [String] {
        all(name).map { value in
            guard case .text(let text) = value else { preconditionFailure("'\(name)' is not a text") }
            return text
        }
    }

    private func all(_ name: String) -> [Value] {
        guard let values = values[name] else { preconditionFailure("'\(name)' is not declared for '\(command)'") }
        return values
    }
}
