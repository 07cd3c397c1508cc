/// The options and positionals of a command, or a part of them that several commands have.
///
/// Its initializer declares them in a list, in the order of the help text, and keeps what the list returns. Help,
/// completion and parsing are derived from the list, and what the list returned reads the values.
/// ```swift
/// struct Options: OptionGroup {
///     let limit: Listed<Int>
///
///     init(_ list: inout OptionList) {
///         limit = list.integer("limit", in: 1...9, default: 3, "Stop after N of them")
///     }
/// }
/// ```
package protocol OptionGroup: Sendable {
    init(_ list: inout OptionList)
}

/// Something with the name of an option.
package protocol OptionName: Sendable {
    /// The name without its two dashes.
    var name: String { get }
    /// The option as it is written: `--seed`.
    var spelling: String { get }
}

extension Option: OptionName {}

/// A declared option or positional, with which its value is read from a command's arguments.
package struct Listed<Output>: OptionName {
    package let name: String
    package let spelling: String
    let read: @Sendable (ParsedArguments) -> Output
}

/// A declared group of options.
package struct ListedGroup<Content: OptionGroup>: Sendable {
    package let content: Content
    package let options: [Option]
}

/// A command with the structure that declares its options.
package struct TypedCommand<Options: Sendable>: Sendable {
    package let options: Options
    package let command: Command

    /// - Parameter options: declares the command's options and positionals in the list.
    init(
        _ name: String, _ summary: String, discussion: String = "", takesScenarioOptions: Bool = false,
        onlyReads: Bool = false, usual: [String] = [], formerOptions: [String: FormerOption] = [:],
        examples: [Example] = [], scenarioExamples: [Example] = [],
        options: (inout OptionList) -> Options
    ) {
        var list = OptionList()
        self.options = options(&list)
        command = Command(
            name, summary, discussion: discussion, list, takesScenarioOptions: takesScenarioOptions,
            onlyReads: onlyReads, usual: usual, formerOptions: formerOptions, examples: examples,
            scenarioExamples: scenarioExamples)
    }

    /// The arguments of a line that was parsed for this command.
    package func read(_ arguments: ParsedArguments) -> TypedArguments<Options> {
        precondition(arguments.command == command.name, "arguments of '\(arguments.command)', not '\(command.name)'")
        return TypedArguments(options: options, listed: command.options, values: arguments)
    }
}

extension TypedCommand where Options: OptionGroup {
    /// - Parameters:
    ///   - usual: the names of the options that `-h` lists; by default all.
    ///   - formerOptions: by an option's former name, what to write instead.
    package init(
        _ name: String, _ summary: String, discussion: String = "", takesScenarioOptions: Bool = false,
        onlyReads: Bool = false, usual: [String] = [], formerOptions: [String: FormerOption] = [:],
        examples: [Example] = [], scenarioExamples: [Example] = []
    ) {
        self.init(
            name, summary, discussion: discussion, takesScenarioOptions: takesScenarioOptions, onlyReads: onlyReads,
            usual: usual, formerOptions: formerOptions, examples: examples, scenarioExamples: scenarioExamples,
            options: Options.init)
    }
}

/// The arguments of a command. Each is read as a property of the structure that declares it, and has the declared type:
/// `arguments.seed`. An argument that was not given has its declared default, or is nil.
@dynamicMemberLookup
package struct TypedArguments<Options: Sendable>: Sendable {
    package let options: Options
    fileprivate let listed: [Option]
    fileprivate let values: ParsedArguments

    package subscript<Output>(dynamicMember path: KeyPath<Options, Listed<Output>>) -> Output {
        options[keyPath: path].read(values)
    }

    package subscript<Part>(dynamicMember path: KeyPath<Options, ListedGroup<Part>>) -> TypedArguments<Part> {
        let group = options[keyPath: path]
        return TypedArguments<Part>(options: group.content, listed: group.options, values: values)
    }

    /// Whether the option was given explicitly.
    package func isGiven<Output>(_ path: KeyPath<Options, Listed<Output>>) -> Bool {
        values.isGiven(options[keyPath: path].name)
    }

    /// The options that were given explicitly.
    package var given: [Option] { listed.filter { values.isGiven($0.name) } }

    /// The given options of the scenario that have values, by name. They are not declared by the command, so their
    /// types are not known here.
    package var scenarioValues: [String: Value] { values.scenario }

    /// The names of the given options of the scenario that have no value.
    package var scenarioFlags: Set<String> { values.scenarioFlags }
}
