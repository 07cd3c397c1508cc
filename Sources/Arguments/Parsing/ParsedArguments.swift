/// A parsed and checked command line. A command reads it through its declarations (`TypedCommand.read`).
package struct ParsedArguments: Sendable, Equatable {
    /// The command's name.
    package let command: String
    /// The given options of the scenario, by name: no declaration defines their types.
    let scenario: [String: Value]
    /// The names of those that have no value.
    let scenarioFlags: Set<String>
    /// What was given, or else the default. An option that was not given and has no default has no values.
    private let values: [String: [Value]]
    private let given: Set<String>

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
        self.values = values.merging(defaults) { given, _ in given }
        self.given = flags.union(values.keys)
    }

    /// Whether the option was given explicitly.
    func isGiven(_ name: String) -> Bool {
        precondition(values[name] != nil, "'\(name)' is not declared for '\(command)'")
        return given.contains(name)
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

    /// In nanoseconds.
    func duration(_ name: String) -> UInt64? {
        all(name).first.map { value in
            guard case .duration(let nanoseconds) = value else { preconditionFailure("'\(name)' is not a duration") }
            return nanoseconds
        }
    }

    /// For choices, paths, scenarios and free text.
    func text(_ name: String) -> String? { texts(name).first }

    /// Every word of a positional or an option that repeats.
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
