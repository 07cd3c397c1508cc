import ThreadLab

/// Scenarios that must not be in a program's list.
enum CatalogueMistake {
    static func scenarios(for word: String?) -> [any Scenario.Type] {
        switch word {
        case "name": [BadName.self]
        case "twice": [Mishap.self]
        case "parameter": [BadParameter.self]
        default: []
        }
    }

    private struct BadName: Scenario {
        static let name = "Bad Name"
        static let summary = "A scenario that no command line could name."
        static let lesson = "Names are lowercase words with hyphens."
        static let guide: Guide? = nil
        static let source = #filePath

        enum Variant: String, ScenarioVariant {
            case only
            var summary: String { "does nothing" }
            var expectation: Expectation { .completes }
        }

        @Parameter("what it does") var variant = Variant.only

        func run() throws {}
    }

    private struct BadParameter: Scenario {
        static let name = "bad-parameter"
        static let summary = "A scenario with a parameter that the command line could not set."
        static let lesson = "Parameters are options, and so need names of their own."
        static let guide: Guide? = nil
        static let source = #filePath

        enum Variant: String, ScenarioVariant {
            case only
            var summary: String { "does nothing" }
            var expectation: Expectation { .completes }
        }

        @Parameter("what it does") var variant = Variant.only
        @Parameter("hides the option of this name", in: 1...9) var seed = 1

        func run() throws {}
    }
}
