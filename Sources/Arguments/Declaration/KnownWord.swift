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
