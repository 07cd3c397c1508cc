/// What a command line says, checked: each value is found under the name that it was declared with, be it an option
/// (`integer("repeat")`) or a positional (`text("NAME")`).
///
/// To ask for a name that was never declared, or for another type than the declared one, is a mistake in the program
/// and traps. An option that was not given gives its default, or nothing.
package struct ParsedArguments: Sendable, Equatable {
    /// The command's name.
    package let command: String
    /// What was given, or else the default. An option that was not given and has no default has no values.
    private let values: [String: [Value]]
    private let given: Set<String>

    init(
        command: String, given values: [String: [Value]], flags: Set<String>, options: [Option],
        positionals: [Positional]
    ) {
        let defaults = options.map { ($0.name, $0.defaultValue.map { [$0] } ?? []) } + positionals.map { ($0.name, []) }
        self.command = command
        self.values = values.merging(defaults) { given, _ in given }
        self.given = flags.union(values.keys)
    }

    /// Whether the user wrote it, rather than left it to its default.
    package func isGiven(_ name: String) -> Bool {
        precondition(values[name] != nil, "'\(name)' is not declared for '\(command)'")
        return given.contains(name)
    }

    package func flag(_ name: String) -> Bool { isGiven(name) }

    package func integer(_ name: String) -> Int? {
        value(name).map { value in
            guard case .integer(let number) = value else { preconditionFailure("'\(name)' is no integer") }
            return number
        }
    }

    package func seed(_ name: String) -> UInt64? {
        value(name).map { value in
            guard case .seed(let number) = value else { preconditionFailure("'\(name)' is no seed") }
            return number
        }
    }

    /// In nanoseconds.
    package func duration(_ name: String) -> UInt64? {
        value(name).map { value in
            guard case .duration(let nanoseconds) = value else { preconditionFailure("'\(name)' is no duration") }
            return nanoseconds
        }
    }

    /// For choices, paths, scenarios and free text.
    package func text(_ name: String) -> String? { texts(name).first }

    /// Every word of a positional that repeats.
    package func texts(_ name: String) -> [String] {
        all(name).map { value in
            guard case .text(let text) = value else { preconditionFailure("'\(name)' is no text") }
            return text
        }
    }

    /// Whatever its type, for callers that pass scenario parameters on without looking at them.
    package func value(_ name: String) -> Value? { all(name).first }

    private func all(_ name: String) -> [Value] {
        guard let values = values[name] else { preconditionFailure("'\(name)' is not declared for '\(command)'") }
        return values
    }
}
