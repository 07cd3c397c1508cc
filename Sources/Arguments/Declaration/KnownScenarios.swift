import Text

/// What the caller knows about scenarios: their names, and the options that each brings.
package struct KnownScenarios: Sendable {
    package let words: [KnownWord]
    /// The ending of the files that hold a scenario.
    package let fileSuffix: String
    /// Where to look for the right name, in a sentence without a full stop. Empty if nobody could say.
    package let hint: String
    /// Called with a known name or with a path; gives an empty array when there is nothing to bring.
    package let options: @Sendable (String) -> [Option]

    package init(
        _ words: [KnownWord], fileSuffix: String = ".lab", hint: String = "",
        options: @escaping @Sendable (String) -> [Option]
    ) {
        self.words = words
        self.fileSuffix = fileSuffix
        self.hint = hint
        self.options = options
    }

    package static let none = KnownScenarios([]) { _ in [] }

    var names: [String] { words.map(\.text) }

    /// Whether the word is surely a scenario, and no value of an option that is not known yet.
    func isScenario(_ word: String) -> Bool { word.hasSuffix(fileSuffix) || names.contains(word) }

    /// What to say of a word that is no scenario.
    package func unknown(_ word: String) -> ArgumentError {
        .unknownScenario(word, suggestion: closest(to: word, among: names), hint: hint)
    }

    /// Whether the word can stand where a scenario is asked for.
    func accepts(_ word: String) -> Bool {
        word.contains("/") || word.contains(".") || names.contains(word)
    }
}
