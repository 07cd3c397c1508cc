import ThreadLab

/// A scenario with a parameter of each type.
struct Settings: Scenario {
    static let name = "settings"
    static let summary = "A thread that says what it was set to."
    static let lesson = "Every parameter is an option."
    static let source = #filePath

    enum Variant: String, ScenarioVariant {
        case only
        var summary: String { "says it" }
        var expectation: Expectation { .completes }
    }

    enum Color: String, ParameterChoice {
        case red, green
        var summary: String { "the color \(rawValue)" }
    }

    @Parameter("what it does") var variant = Variant.only
    @Parameter("says it loudly") var loud = false
    @Parameter("what it says") var greeting = "hello"
    @Parameter("how fast it is", in: 0.1...2) var rate = 1.0
    @Parameter("how often it says it", in: 1...9) var times = 1
    @Parameter("how long it waits before", in: .zero ... .seconds(5)) var pause = Duration.zero
    @Parameter("of what hue it is") var hue = Color.red

    func run() throws {
        try Thread.sleep(for: pause)
        for _ in 0..<times { note("\(greeting)\(loud ? "!" : "") at \(rate) in \(hue)") }
    }
}
