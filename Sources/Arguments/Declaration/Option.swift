/// An option of a command, declared once. Parsing, help and completion are derived from the declaration.
///
/// An option is a plain value, so that a scenario can bring its own at run time.
package struct Option: Hashable, Sendable {
    /// The name without its two dashes.
    package let name: String
    package let kind: ValueKind
    /// One line, without a full stop.
    package let help: String
    /// The placeholder of the value in help and messages, for example `N`. Empty for a flag.
    package let placeholder: String
    /// The default, as the user would write it.
    package let defaultWord: String?
    /// Whether every value counts if the option is given several times. Otherwise the last one counts.
    package let repeats: Bool
    /// The heading in help under which the option is listed. Empty: the option is one of the first, which have no
    /// heading.
    var heading = ""

    package init(
        _ name: String, _ kind: ValueKind, default word: String?, placeholder: String, help: String,
        repeats: Bool = false
    ) {
        precondition(!name.isEmpty && !name.hasPrefix("-") && !name.contains("="), "not an option's name: \(name)")
        precondition(word.map { kind.read($0) != nil } ?? true, "--\(name): the default must itself be allowed")
        self.name = name
        self.kind = kind
        self.help = help
        self.placeholder = placeholder
        self.defaultWord = word
        self.repeats = repeats
    }

    /// The option as it is written: `--seed`.
    package var spelling: String { "--" + name }

    /// The option as it is written with a value: `--seed N`.
    package var usage: String { kind.takesValue ? "\(spelling) \(placeholder)" : spelling }

    var defaultValue: Value? { defaultWord.flatMap(kind.read) }

    /// By short name: the option's name. Only short names that mean the same in most tools are used.
    static let shortNames: [Character: String] = ["j": "jobs", "o": "output", "q": "quiet", "v": "verbose"]

    /// The short name, such as `-j`. Nil: the option has none.
    var short: String? { Self.shortNames.first { $0.value == name }.map { "-\($0.key)" } }

    /// The option that every command accepts. Its short name is `-h`.
    static let help = Option.flag("help", "Show this help (also -h)")
}

extension Option {
    package static func flag(_ name: String, _ help: String) -> Option {
        Option(name, .flag, default: nil, placeholder: "", help: help)
    }

    package static func integer(
        _ name: String, in range: ClosedRange<Int> = Int.min...Int.max, default value: Int? = nil,
        placeholder: String = "N", _ help: String
    ) -> Option {
        Option(name, .integer(range), default: value.map { String($0) }, placeholder: placeholder, help: help)
    }

    package static func seed(_ name: String, default value: UInt64? = nil, placeholder: String = "N", _ help: String)
        -> Option
    {
        Option(name, .seed, default: value.map { String($0) }, placeholder: placeholder, help: help)
    }

    /// The range is in nanoseconds. The default is written as a user would, for example `10s`.
    package static func duration(
        _ name: String, in range: ClosedRange<UInt64> = 0...UInt64.max, default word: String? = nil,
        placeholder: String = "TIME", _ help: String
    ) -> Option {
        Option(name, .duration(range), default: word, placeholder: placeholder, help: help)
    }

    package static func choice(
        _ name: String, _ words: [KnownWord], default word: String? = nil, placeholder: String = "WORD", _ help: String
    ) -> Option {
        Option(name, .choice(words), default: word, placeholder: placeholder, help: help)
    }

    package static func text(
        _ name: String, default word: String? = nil, placeholder: String = "TEXT", of vocabulary: Vocabulary? = nil,
        _ help: String
    ) -> Option {
        Option(name, vocabulary.map { .word($0) } ?? .text, default: word, placeholder: placeholder, help: help)
    }

    package static func file(
        _ name: String, default word: String? = nil, placeholder: String = "FILE", _ help: String
    ) -> Option {
        Option(name, .file, default: word, placeholder: placeholder, help: help)
    }
}

/// All options that a command line may contain: the command's own, its scenario's, and `--help`.
///
/// A scenario's option with the name of one of the command's options is omitted: the command relies on its own, and a
/// user's scenario file must not be able to take it away.
struct OptionTable {
    let own: [Option]
    let scenarios: [Option]

    init(_ command: Command, scenario: [Option] = []) {
        let own = command.ownOptions
        self.own = own
        scenarios = scenario.filter { option in !own.contains { $0.name == option.name } }
    }

    var all: [Option] { own + scenarios }

    subscript(_ name: some StringProtocol) -> Option? { all.first { $0.name == name } }
}
