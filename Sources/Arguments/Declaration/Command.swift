/// The declaration of a command-line program with commands, such as `threadlab`. The command `help` and the options
/// `--help` and `--version` are included. Parsing, help texts, the manual page and completions are derived from it.
package struct Tool: Sendable {
    package let name: String
    package let version: String
    /// One line, without a full stop.
    package let summary: String
    /// The commands that the tool was made with, and `help`.
    package let commands: [Command]
    /// The commands under titles that say what they are for, in the order of the overview. Empty: the overview is one
    /// list.
    let groups: [(title: String, commands: [Command])]
    /// By a command's former name, what to type instead, with its quotation marks.
    let formerNames: [String: String]
    let help: TypedCommand<HelpOptions>
    /// The pages of the manual, which `help` shows by name.
    package let pages: [KnownWord]
    /// The names of pages that are parts of other pages. The overview with groups omits them.
    let parts: Set<String>

    package init(
        _ name: String, version: String, summary: String, pages: [KnownWord] = [], parts: Set<String> = [],
        commands: [Command], groups: [(title: String, commands: [String])] = [], formerNames: [String: String] = [:]
    ) {
        precondition(Set(commands.map(\.name)).count == commands.count, "a command is declared twice")
        self.name = name
        self.version = version
        self.summary = summary
        self.pages = pages
        self.parts = parts
        let byName = Dictionary(uniqueKeysWithValues: commands.map { ($0.name, $0) })
        self.groups = groups.map { title, names in (title, names.compactMap { byName[$0] }) }
        precondition(
            groups.isEmpty || self.groups.flatMap(\.commands).count == commands.count, "a command is in no group")
        precondition(formerNames.keys.allSatisfy { byName[$0] == nil }, "a command has a former name")
        self.formerNames = formerNames
        help = Self.helpCommand(for: commands, pages)
        self.commands = commands + [help.command]
    }

    /// What `help` can be asked about: commands and pages.
    package var topics: [String] { commands.map(\.name) + pages.map(\.text) }

    package func command(named name: String) -> Command? { commands.first { $0.name == name } }

    /// The tool's own options. All but `--no-pager` are given instead of a command; the caller removes that one before
    /// it parses the words. `completion` must be the last (`completionOption`).
    static let options = [
        Option.help, Option.flag("version", "Show the version"),
        Option.flag("no-pager", "Do not show long output in the pager (PAGER)"),
        Option.choice(
            completion, CompletionScript.allCases.map { KnownWord($0.rawValue) }, placeholder: "SHELL",
            "Print a script that completes commands and options in your shell"),
    ]
    static let completion = "completion"

    private static func helpCommand(for commands: [Command], _ pages: [KnownWord]) -> TypedCommand<HelpOptions> {
        let summary = pages.isEmpty ? "Explain a command" : "Explain a command, or show a page of the manual"
        let names = commands.map { KnownWord($0.name, $0.summary) } + [KnownWord("help", summary)] + pages
        let help = pages.isEmpty ? "The command" : "The command or page"
        return TypedCommand("help", summary) { HelpOptions(&$0, topics: names, help) }
    }
}

/// The positionals of the command `help`.
struct HelpOptions {
    let topic, scenario: Listed<String?>

    init(_ list: inout OptionList, topics: [KnownWord], _ help: String) {
        topic = list.oneOrNone("TOPIC", .choice(topics), help)
        scenario = list.oneOrNone("SCENARIO", .scenario, "Show this scenario's options too")
    }
}

/// The declaration of a command of the tool, such as `threadlab run`.
package struct Command: Hashable, Sendable {
    package let name: String
    /// One line, without a full stop.
    package let summary: String
    /// Paragraphs, with an empty line between two.
    package let discussion: String
    package let positionals: [Positional]
    package let options: [Option]
    /// Whether the scenario named on the command line adds its own options.
    package let takesScenarioOptions: Bool
    /// Whether the command changes nothing outside its own processes, unless an option that takes a path demands it.
    package let onlyReads: Bool
    /// Groups of names of options. At most one option of each group may be given.
    package let exclusive: [[String]]
    /// The names of the options that most users need: `-h` lists them.
    let usual: [String]
    /// By an option's former name, what to write instead.
    let formerOptions: [String: FormerOption]
    package private(set) var examples: [Example]
    /// Examples with placeholders, such as `run NAME --variant VARIANT`. A program with scenarios of its own shows them
    /// with the names of these.
    private let scenarioExamples: [Example]

    init(
        _ name: String, _ summary: String, discussion: String = "", _ list: OptionList,
        takesScenarioOptions: Bool = false, onlyReads: Bool = false, usual: [String] = [],
        formerOptions: [String: FormerOption] = [:], examples: [Example] = [], scenarioExamples: [Example] = []
    ) {
        let (positionals, options, exclusive) = (list.positionals, list.options, list.exclusive)
        let names = options.map(\.name)
        precondition(Set(names + ["help"]).count == names.count + 1, "\(name): an option is declared twice")
        precondition(Set(exclusive.joined()).isSubset(of: names), "\(name): an exclusive option is not declared")
        precondition(!positionals.dropLast().contains(where: \.repeats), "\(name): only the last positional repeats")
        precondition(
            !zip(positionals, positionals.dropFirst()).contains { !$0.isRequired && $1.isRequired },
            "\(name): a required positional follows an optional one")
        precondition(Set(usual).isSubset(of: names), "\(name): a usual option is not declared")
        precondition(
            (usual.isEmpty ? names : usual).count < Self.mostUsualOptions, "\(name): too many options are usual")
        precondition(Set(formerOptions.keys).isDisjoint(with: names), "\(name): a former option is declared")
        self.usual = usual.isEmpty ? names : usual
        self.formerOptions = formerOptions
        precondition(
            !takesScenarioOptions || positionals.contains { $0.kind.canBeScenario },
            "\(name): has no scenario positional")
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.positionals = positionals
        self.options = options
        self.takesScenarioOptions = takesScenarioOptions
        self.onlyReads = onlyReads
        self.exclusive = exclusive
        self.examples = examples
        self.scenarioExamples = scenarioExamples
    }

    /// The command without some examples.
    ///
    /// - Parameter isUnfit: whether to omit an example, given the words of its line.
    package func omittingExamples(where isUnfit: ([Substring]) -> Bool) -> Command {
        var copy = self
        copy.examples.removeAll { isUnfit($0.line.split { $0 == " " || $0 == "'" || $0 == "/" }) }
        return copy
    }

    /// The command with examples about this scenario before the others.
    package func withExamples(about scenario: String, variant: String?) -> Command {
        var copy = self
        copy.examples = scenarioExamples.compactMap { $0.about(scenario, variant: variant) } + examples
        return copy
    }

    /// The maximum number of usual options, including `--help`: as many as a reader takes in at a glance.
    static let mostUsualOptions = 15

    /// The command's own options, and `--help`.
    package var ownOptions: [Option] { options + [.help] }

    /// The positional to which a word belongs. Nil: there are too many words.
    ///
    /// - Parameter index: the number of positional words before it.
    func positional(at index: Int) -> Positional? {
        if index < positionals.count { return positionals[index] }
        return positionals.last.flatMap { $0.repeats ? $0 : nil }
    }

    /// The names of the options that cannot be given together with this one.
    func exclusions(of name: String) -> [String] {
        var others: [String] = []
        for other in exclusive.filter({ $0.contains(name) }).joined() where other != name && !others.contains(other) {
            others.append(other)
        }
        return others
    }
}

/// What to write instead of an option that a command no longer has.
package enum FormerOption: Hashable, Sendable {
    /// An option as it is typed: `--save`.
    case option(String)
    /// A command line without the tool's name: `export NAME drawing.svg`.
    case line(String)

    /// What to write instead, in a message.
    func now(of tool: String) -> String {
        switch self {
        case .option(let spelling): spelling
        case .line(let line): "'\(tool) \(line)'"
        }
    }
}

/// An example of a command line.
package struct Example: Hashable, Sendable {
    /// What follows the tool's name: `run deadlock --seed 7`.
    package let line: String
    /// What the example does, in one line.
    package let help: String

    package init(_ line: String, _ help: String) {
        self.line = line
        self.help = help
    }

    /// The example for a certain scenario: its name takes the place of `NAME`, and another variant that of `VARIANT`.
    /// Nil if there is no other variant and the line needs one.
    func about(_ scenario: String, variant: String?) -> Example? {
        var words: [String] = []
        for word in line.split(separator: " ") {
            switch word {
            case "NAME": words.append(scenario)
            case "VARIANT":
                guard let variant else { return nil }
                words.append(variant)
            default: words.append(String(word))
            }
        }
        return Example(words.joined(separator: " "), help)
    }
}
