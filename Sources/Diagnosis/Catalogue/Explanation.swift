/// The explanation of a finding's code, for readers new to the problem: `threadlab explain` prints it.
package struct Explanation: Sendable {
    package let code: FindingCode
    /// What it is, in one sentence.
    package let meaning: String
    /// How it happens: a tiny story.
    package let story: String
    /// Why it is wrong, in the terms of the guide (Apple's Threading Programming Guide). For a note: why it matters.
    package let reason: String
    /// The sources: sections of the guide, POSIX, papers.
    package let sources: [String]
    /// The usual remedies, each as an instruction.
    package let remedies: [String]
    /// What it is often confused with.
    package let confusion: String
    /// The belief behind such a program, in its author's words, and why it is wrong.
    package let belief: String
    package let example: ExamplePrograms

    /// Line breaks in the texts have no meaning.
    init(
        _ code: FindingCode, meaning: String, story: String, reason: String, sources: [String], remedies: [String],
        confusion: String, belief: String, example: ExamplePrograms
    ) {
        self.code = code
        self.meaning = meaning.onOneLine
        self.story = story.onOneLine
        self.reason = reason.onOneLine
        self.sources = sources.map { $0.onOneLine }
        self.remedies = remedies.map { $0.onOneLine }
        self.confusion = confusion.onOneLine
        self.belief = belief.onOneLine
        self.example = example
    }
}
