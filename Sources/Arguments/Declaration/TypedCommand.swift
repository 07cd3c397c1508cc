/// The options and positionals of a command, or a part of them that several commands have.
///
/// Its initializer lists them, in the order of the help text, and keeps what the list returns: nothing else can be
/// read. Help, completion and parsing follow the list.
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

package protocol OptionName: Sendable {
    /// The name without its two dashes.
    var name: String { get }
    /// The option as it is written: `--seed`.
    var spelling: String { get }
}

extension Option: OptionName {}

/// An option or a positional of a command, to be read from its arguments.
package struct Listed<Output>: OptionName {
    package let name: String
    package let spelling: String
    let read: @Sendable (ParsedArguments) -> Output
}

/// A part of a command's options.
package struct ListedGroup<Content: OptionGroup>: Sendable {
    package let content: Content
    package let options: [Option]
}

/// A command with the type of its options.
package struct TypedCommand<Options: Sendable>: Sendable {
    package let options: Options
    package let command: Command

    /// - Parameter options: lists the command's options.
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

/// The arguments of a command. Each is read through the `Listed` that the list returned for it, and has the type of its
/// declaration: `arguments.seed`. What was not given is the default of its declaration, or nil.
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

    /// The given options of the scenario, by name: no declaration defines their types.
    package var scenarioValues: [String: Value] { values.scenario }

    /// The names of the given options of the scenario that have no value.
    package var scenarioFlags: Set<String> { values.scenarioFlags }
}
