import Text

/// Reads what follows a command's name. With scenario options it reads twice: first to find the scenario, and again
/// when the scenario's options are known.
struct CommandLineParser {
    let command: Command
    let scenarios: KnownScenarios

    func parse(_ words: ArraySlice<String>) throws(ArgumentError) -> Request {
        let own = OptionTable(command)
        let first = Reading(words, options: own, scenarios: scenarios)
        if first.names(.help) {
            return .help(
                .command(command.name, scenario: scenario(in: first).flatMap { scenarios.accepts($0) ? $0 : nil }))
        }
        guard command.takesScenarioOptions else { return .command(try check(first, against: own, scenario: nil)) }

        // Before the scenario is known, the options cannot be judged: a missing scenario is reported first.
        guard let scenario = scenario(in: first) else {
            let missing = command.positionals.first { $0.kind.canBeScenario }
            if let missing, missing.isRequired { throw .missingPositional(missing, context: command.name) }
            return .command(try check(first, against: own, scenario: nil))
        }
        try requireKnown(scenario)

        let merged = OptionTable(command, scenario: scenarios.options(scenario))
        let second = Reading(words, options: merged, scenarios: scenarios)
        let arguments = try check(second, against: merged, scenario: scenario)
        // The two readings differ where an option before the scenario takes a value that is itself a scenario's name.
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

    private func check(_ reading: Reading, against options: OptionTable, scenario: String?) throws(ArgumentError)
        -> ParsedArguments
    {
        let context = scenario.map { "\(command.name) \($0)" } ?? command.name
        var values: [String: [Value]] = [:]
        var flags: Set<String> = []
        var places = 0

        for part in reading.parts {
            switch part {
            case .positional(let word):
                guard let positional = command.positional(at: places) else { throw .surplus(word, context: context) }
                places += 1
                values[positional.name, default: []].append(try value(word, of: positional))
            case .option(let name, let spelling, let word):
                guard let option = options[name] else {
                    let known = closest(to: spelling, among: options.all.map(\.spelling))
                    throw .unknownOption(spelling, context: context, suggestion: known)
                }
                guard let value = try value(word, of: option) else {
                    flags.insert(name)
                    continue
                }
                // Of an option that is given twice the last counts, so that an alias's options can be overridden.
                values[name] = (option.repeats ? values[name] ?? [] : []) + [value]
            }
        }

        if let missing = command.positionals.dropFirst(places).first(where: \.isRequired) {
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

    /// Nil for a flag.
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
