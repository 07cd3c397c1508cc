import ThreadLab

/// Scenarios that must not be in a program's list.
enum CatalogueMistake {
    static func scenarios(for word: String?) -> [any Scenario.Type] {
        switch word {
        case "name": [BadName.self]
        case "twice": [Mishap.self]
        case "parameter": [BadParameter.self]
        case "flag": [BadFlag.self]
        case "letters": [BadLetters.self]
        case "clash": [BadClash.self]
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

    private enum Only: String, ScenarioVariant {
        case only
        var summary: String { "does nothing" }
        var expectation: Expectation { .completes }
    }

    private struct BadFlag: Scenario {
        static let name = "bad-flag"
        static let summary = "A scenario with a flag that could not be switched off."
        static let lesson = "A flag is false until it is given."
        static let source = #filePath

        @Parameter("what it does") var variant = Only.only
        @Parameter("is always on") var quiet = true

        func run() throws {}
    }

    private struct BadLetters: Scenario {
        static let name = "bad-letters"
        static let summary = "A scenario with a parameter that is hard to type."
        static let lesson = "Options have ASCII letters."
        static let source = #filePath

        @Parameter("what it does") var variant = Only.only
        // swift-format-ignore
        @Parameter("has an umlaut", in: 1...9) var größe = 1

        func run() throws {}
    }

    private struct BadClash: Scenario {
        static let name = "bad-clash"
        static let summary = "A scenario with two parameters that make one option."
        static let lesson = "Options have different names."
        static let source = #filePath

        @Parameter("what it does") var variant = Only.only
        @Parameter("the first", in: 1...9) var threadCount = 1
        // swift-format-ignore
        @Parameter("the second", in: 1...9) var thread_count = 1

        func run() throws {}
    }
}
