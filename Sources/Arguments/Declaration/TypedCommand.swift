/// What a command reads from its line: an option, a positional, or a group of them.
package protocol Declaration: Sendable {
    var declared: Declarations { get }
}

/// The declarations of a command, in the order in which help lists them.
package struct Declarations: Sendable {
    package fileprivate(set) var positionals: [Positional] = []
    package fileprivate(set) var options: [Option] = []
    /// Names of options of which at most one may be given.
    package fileprivate(set) var exclusive: [[String]] = []

    init(_ positional: Positional) { positionals = [positional] }

    init(_ option: Option) { options = [option] }

    /// What the stored properties of a group declare.
    fileprivate init(_ group: some OptionGroup) {
        for property in Mirror(reflecting: group).children {
            guard let declared = (property.value as? any Declaration)?.declared else {
                preconditionFailure("\(type(of: group)): '\(property.label ?? "")' declares nothing")
            }
            positionals += declared.positionals
            options += declared.options
            exclusive += declared.exclusive
        }
        exclusive += group.exclusive.map { $0.map(\.option.name) }
    }
}

/// The options and positionals of a command, or a part of them that several commands have.
///
/// Each stored property is one of them, or another group. There is no other list: help, completion and parsing take
/// them from here, and a command reads each through its property (`TypedArguments`).
package protocol OptionGroup: Declaration {
    /// Options of which at most one may be given.
    var exclusive: [[any OptionDeclaration]] { get }
}

extension OptionGroup {
    package var exclusive: [[any OptionDeclaration]] { [] }
    package var declared: Declarations { Declarations(self) }
    package var options: [Option] { declared.options }
}

/// A command with the type of its options.
package struct TypedCommand<Options: OptionGroup>: Sendable {
    package let options: Options
    package let command: Command

    package init(
        _ name: String, _ summary: String, discussion: String = "", options: Options,
        takesScenarioOptions: Bool = false, examples: [Example] = [], scenarioExamples: [Example] = []
    ) {
        self.options = options
        command = Command(
            name, summary, discussion: discussion, options.declared, takesScenarioOptions: takesScenarioOptions,
            examples: examples, scenarioExamples: scenarioExamples)
    }

    /// The arguments of a line that was parsed for this command.
    package func read(_ arguments: ParsedArguments) -> TypedArguments<Options> {
        precondition(arguments.command == command.name, "arguments of '\(arguments.command)', not '\(command.name)'")
        return TypedArguments(options: options, values: arguments)
    }
}

/// The arguments of a command. Each is read through the property that declares it, and has the type that it gives:
/// `arguments.seed`. What was not given is the default of its declaration, or nil.
@dynamicMemberLookup
package struct TypedArguments<Options: OptionGroup>: Sendable {
    package let options: Options
    fileprivate let values: ParsedArguments

    package subscript<Output>(dynamicMember path: KeyPath<Options, TypedOption<Output>>) -> Output {
        options[keyPath: path].read(values)
    }

    package subscript<Output>(dynamicMember path: KeyPath<Options, TypedPositional<Output>>) -> Output {
        options[keyPath: path].read(values)
    }

    package subscript<Part: OptionGroup>(dynamicMember path: KeyPath<Options, Part>) -> TypedArguments<Part> {
        TypedArguments<Part>(options: options[keyPath: path], values: values)
    }

    /// Whether the option was given explicitly.
    package func isGiven<Output>(_ path: KeyPath<Options, TypedOption<Output>>) -> Bool {
        values.isGiven(options[keyPath: path].option.name)
    }

    /// The options that were given explicitly.
    package var given: [Option] { options.options.filter { values.isGiven($0.name) } }

    /// The given options of the scenario, by name: no declaration defines their types.
    package var scenarioValues: [String: Value] { values.scenario }

    /// The names of those that have no value.
    package var scenarioFlags: Set<String> { values.scenarioFlags }
}
