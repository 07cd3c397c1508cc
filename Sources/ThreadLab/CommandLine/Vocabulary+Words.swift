import Arguments
import Authoring
import Diagnosis
import Library

/// What completion offers where any text is accepted.
extension Vocabulary {
    static let findings = Vocabulary("findings", isList: true)
    static let topics = Vocabulary("topics")
    static let chapters = Vocabulary("chapters")
    static let programs = Vocabulary("programs")
    static let subjects = Vocabulary("subjects")

    func words(_ scenarios: [any Scenario.Type]) -> [KnownWord] {
        switch self {
        case .findings: [KnownWord("all"), KnownWord("none")] + Self.codes
        case .topics: Self.codes + Glossary.words.map { KnownWord($0) }
        case .chapters: Library.chapters.map { KnownWord($0.name, $0.summary) }
        case .programs: Self.library
        case .subjects:
            scenarios.flatMap { scenario in
                scenario.variants.map { KnownWord("\(scenario.name)/\($0.word)", $0.summary) }
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
