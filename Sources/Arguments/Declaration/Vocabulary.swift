/// Words that completion offers for a text that may also be another: the tool supplies them (`KnownScenarios.words(of:)`).
package struct Vocabulary: Hashable, Sendable {
    package let name: String
    /// Whether the text may be several of the words, with commas between them.
    package let isList: Bool

    package init(_ name: String, isList: Bool = false) {
        self.name = name
        self.isList = isList
    }
}
