import Text

/// What the command line's parser, help and completion must know about the tool's scenarios: their names, and the
/// options of each. The tool supplies it.
package struct KnownScenarios: Sendable {
    /// The scenarios' names.
    private let listed: @Sendable () -> [KnownWord]
    /// The suffix of scenario files.
    package let fileSuffix: String
    /// Where a user finds the right name, for messages, as a sentence without its full stop. Empty: not known.
    package let hint: String
    /// The options of the scenario with this name, or in the file at this path. Empty if it has none.
    package let options: @Sendable (String) -> [Option]
    /// The words of a vocabulary.
    let vocabulary: @Sendable (Vocabulary) -> [KnownWord]
    /// What to type instead of a word that is correct in another place, such as a command where a scenario is expected.
    /// Nil: the word is not known.
    private let meant: @Sendable (String, WordPlace) -> String?

    /// - Parameter words: the scenarios' names. They are evaluated when they are needed: most command lines name a file
    ///   or a command.
    package init(
        _ words: @escaping @autoclosure @Sendable () -> [KnownWord], fileSuffix: String = ".lab", hint: String = "",
        vocabulary: @escaping @Sendable (Vocabulary) -> [KnownWord] = { _ in [] },
        meant: @escaping @Sendable (String, WordPlace) -> String? = { _, _ in nil },
        options: @escaping @Sendable (String) -> [Option]
    ) {
        self.vocabulary = vocabulary
        self.meant = meant
        listed = words
        self.fileSuffix = fileSuffix
        self.hint = hint
        self.options = options
    }

    package static let none = KnownScenarios([]) { _ in [] }

    package var words: [KnownWord] { listed() }
    package var names: [String] { words.map(\.text) }

    /// Whether the word is certainly a scenario, and so not the value of an unknown option before it.
    func isScenario(_ word: String) -> Bool { word.hasSuffix(fileSuffix) || names.contains(word) }

    /// The message for a word that is not a scenario.
    package func unknown(_ word: String) -> ArgumentError {
        .unknownScenario(word, suggestion: suggestion(for: word, instead: .scenario, among: names), hint: hint)
    }

    /// What was probably meant: something of exactly this name that belongs elsewhere, or else a similar word that
    /// belongs here.
    func suggestion(for word: String, instead place: WordPlace, among known: [String]) -> String? {
        meant(word, place) ?? closest(to: word, among: known)
    }

    /// Whether the word can be a scenario: a known name, a path (any word with a slash or a dot), or `-` for standard
    /// input.
    func accepts(_ word: String) -> Bool {
        word == "-" || word.contains("/") || word.contains(".") || names.contains(word)
    }
}

/// The place of a wrong word on the command line.
package enum WordPlace: Sendable {
    case command, scenario
    /// The word after `help`.
    case topic
    /// The word after `explain`.
    case term
}

/// A word that a command line may contain, and its meaning: a choice, a scenario's name, a candidate for completion.
package struct KnownWord: Hashable, Sendable, ExpressibleByStringLiteral {
    package var text: String
    /// One line, without a full stop. Empty when the word explains itself.
    package var help: String

    package init(_ text: String, _ help: String = "") {
        self.text = text
        self.help = help
    }

    package init(stringLiteral text: String) { self.init(text) }
}

/// The name of a set of words that completion suggests for an option or argument that accepts any text. The tool
/// supplies the words (`KnownScenarios.vocabulary`).
package struct Vocabulary: Hashable, Sendable {
    package let name: String
    /// Whether the text may be several of the words, with commas between them.
    package let isList: Bool

    package init(_ name: String, isList: Bool = false) {
        self.name = name
        self.isList = isList
    }
}
