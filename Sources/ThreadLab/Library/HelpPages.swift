import Arguments
import Library

/// The pages of docs/ that `help` shows.
enum HelpPages {
    static let words: [KnownWord] = [
        KnownWord("language", "The .lab language: a tutorial, and the reference"),
        KnownWord("guide", "The threading guide, idea by idea, with the program that shows it"),
        KnownWord("exploration", "How 'explore' searches, and what its results mean"),
        KnownWord("stepping", "How 'play' is used: its screen, its keys and its commands"),
        KnownWord("diagnosis", "The detectors: what each finds, and what it cannot find"),
        KnownWord("semantics", "What the primitives mean, case by case"),
        KnownWord("thread-safety", "From where each type of the primitives may be used"),
        KnownWord("foundation", "What Foundation does differently on Linux"),
        KnownWord("ci", "threadlab in CI scripts"),
        KnownWord("views", "A run as a page to step through"),
        KnownWord("trace-format", "The format of saved traces"),
    ]

    static func text(of page: String, width: Int) -> String? {
        Library.text(of: "docs/\(page).md").map { MarkdownPage($0).text(width: width) }
    }
}
