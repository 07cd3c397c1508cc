import Arguments
import Authoring
import Diagnosis
import Library
import Text

/// The words that completion offers for positionals and option values that accept any text.
extension Vocabulary {
    /// Findings for `--diagnose`, with commas between them.
    static let findings = Vocabulary("findings", isList: true)
    /// Findings and terms of the glossary.
    package static let topics = Vocabulary("topics")
    package static let chapters = Vocabulary("chapters")
    /// Programs of the library.
    package static let programs = Vocabulary("programs")
    /// What `check` can check: variants of scenarios, and programs of the library.
    package static let subjects = Vocabulary("subjects")
    package static let lessons = Vocabulary("lessons")

    func words(_ scenarios: [any Scenario.Type], _ commands: KnownCommands) -> [KnownWord] {
        switch self {
        case .findings: [KnownWord("all"), KnownWord("none")] + Self.codes
        case .topics: Self.codes + Glossary.words.map { KnownWord($0) }
        case .chapters:
            Library.chapters.map { KnownWord($0.name, $0.summary) }
                + GuidePart.all(of: scenarios).map { KnownWord($0.name, "scenarios of \($0.title)") }
        case .programs: Self.library
        case .lessons: commands.lessons()
        case .subjects:
            scenarios.flatMap { scenario in
                scenario.variants.map { KnownWord(NamedScenario.name(scenario, $0.word), $0.summary) }
            } + Self.library
        default: []
        }
    }

    private static var codes: [KnownWord] {
        FindingCode.allCases.flatMap { [KnownWord($0.rawValue, $0.title), KnownWord($0.name, $0.title)] }
    }

    private static var library: [KnownWord] {
        Library.chapters.flatMap(\.programs).map { KnownWord($0.name, $0.summary) }
    }
}

extension ParameterDescription {
    /// The command line's option for the parameter.
    package var option: Option {
        let help = help.prefix(1).uppercased() + help.dropFirst()
        switch form {
        case .integer:
            let lower = range.flatMap { Int($0.lower) } ?? .min
            let upper = range.flatMap { Int($0.upper) } ?? .max
            return .integer(name, in: lower...upper, default: Int(defaultValue), help)
        case .number: return .text(name, default: defaultValue, placeholder: "N", help + numberRange)
        case .text: return .text(name, default: defaultValue, help)
        case .flag: return .flag(name, help)
        case .duration:
            let lower = range.flatMap { DurationText.read($0.lower) } ?? 0
            let upper = range.flatMap { DurationText.read($0.upper) } ?? .max
            return .duration(name, in: lower...upper, default: defaultValue, help)
        case .choice(let choices):
            let words = choices.map { KnownWord($0.word, $0.summary) }
            let placeholder = name.first.map { String($0).uppercased() } ?? "WORD"
            return .choice(name, words, default: defaultValue, placeholder: placeholder, help)
        }
    }

    /// The range of values, if it is limited, as the end of a sentence. The command line has no option kind for
    /// fractions, so their help states it too.
    private var numberRange: String { range.map { ", from \($0.lower) to \($0.upper)" } ?? "" }

    /// What a value must be, for the message about one that is not.
    var requirement: String {
        switch form {
        case .integer: "must be a whole number\(numberRange)"
        case .number: "must be a number\(numberRange)"
        case .duration: "must be a duration like 10ms\(numberRange)"
        case .text: "must be a text"
        case .flag: "must be true or false"
        case .choice(let choices): "must be one of \(choices.map(\.word).joined(separator: ", "))"
        }
    }
}
