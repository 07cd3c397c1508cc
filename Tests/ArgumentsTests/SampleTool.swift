import Arguments

/// threadlab's own command line, so that the tests say what its users will see.
enum Sample {
    static let tool = Tool(
        "threadlab", version: "1.0", summary: "run small concurrent programs and see what their threads did",
        commands: [
            list.command, show.command, run.command, replay.command, trace.command, completion.command,
        ])

    static let scenarios = KnownScenarios(
        [
            KnownWord("deadlock", "Two threads, two mutexes, opposite orders"),
            KnownWord("producer-consumer", "A bounded buffer between threads"),
            KnownWord("dining", "Philosophers and forks"),
        ], hint: "'threadlab list' shows them"
    ) { name in
        switch name {
        case "deadlock":
            [
                .choice(
                    "variant", [KnownWord("broken", "opposite orders"), KnownWord("fixed", "one order")],
                    default: "broken",
                    placeholder: "VARIANT", "Which form to run"),
                .flag("try-lock", "Try the second mutex rather than wait"),
            ]
        case "producer-consumer":
            [
                .integer("producers", in: 1...64, default: 2, "How many threads produce"),
                .integer("capacity", in: 1...64, default: 4, "How many items the buffer holds"),
                .duration("pause", "Pause after each item"),
                .text("policy", "How the threads take turns"),
                .integer("offset", "The first item"),
            ]
        // A user's file with names that the tool needs itself.
        case "greedy.lab":
            [
                .flag("seed", "Not a number"), .text("help", "Not a flag"), .flag("spurious", "Wake up early"),
                .choice("format", ["false", "true"], default: "true", "Not a format"),
                .integer("repeat", default: 7, "Not how often"),
            ]
        default: []
        }
    }

    struct List: OptionGroup { let format = Sample.format(["text", "json"]) }
    struct Show: OptionGroup { let name = Sample.name }
    struct Run: OptionGroup {
        let name = Sample.name
        let native = TypedOption.flag("native", "Run on real POSIX threads")
        let controlled = TypedOption.flag("controlled", "Run one step at a time")
        let seed = TypedOption.seed("seed", "Where the choices come from")
        let repeats = TypedOption.integer("repeat", in: 1...1_000_000, default: 1, "How many runs")
        let timeout = TypedOption.duration(
            "timeout", in: 1_000_000...3_600_000_000_000, default: "10s", "When a run is ended")
        let trace = TypedOption.file("trace", "Save the trace")
        let format = Sample.format(["text", "lanes", "json", "none"])
        let color = Option.choice(
            "color", ["auto", "always", "never"], default: "auto", placeholder: "WHEN", "Whether to use colors")

        var exclusive: [[any OptionDeclaration]] { [[native, controlled]] }
    }
    struct Replay: OptionGroup {
        let name = TypedPositional.one("NAME|TRACE", .scenarioOrFile, "The scenario, or a trace of it")
        let schedule = TypedOption.text("schedule", placeholder: "S", "The schedule to follow")
    }
    struct Trace: OptionGroup {
        let files = TypedPositional.oneOrMore("FILE", .file, "The traces to show")
        let format = Sample.format(["text", "lanes", "json"])
    }
    struct Completion: OptionGroup {
        let shell = TypedPositional.choice(Shell.self, "SHELL", "The shell to complete for")

        enum Shell: String, CaseIterable { case bash, zsh, fish }
    }

    static let list = TypedCommand("list", "List the scenarios", options: List())
    static let show = TypedCommand("show", "Explain a scenario", options: Show())
    static let run = TypedCommand(
        "run", "Run a scenario and say what happened",
        discussion: """
            Without a runtime the scenario runs under the scheduler that decides every step,
            so that the same seed gives the same run.

            The exit code is 0 if the outcome was the expected one.
            """,
        options: Run(), takesScenarioOptions: true,
        examples: [
            Example("run deadlock --seed 7", "Run it once; the same seed gives the same run"),
            Example("run producer-consumer --producers 3 --repeat 100", "Look for trouble in a hundred runs"),
        ])
    static let replay = TypedCommand(
        "replay", "Run a schedule again", options: Replay(), takesScenarioOptions: true)
    static let trace = TypedCommand("trace", "Show saved traces", options: Trace())
    static let completion = TypedCommand(
        "completion", "Print a shell's completion script", options: Completion())

    private static let name = TypedPositional.one("NAME", .scenario, "The scenario, or a .lab file")

    private static func format(_ words: [KnownWord]) -> Option {
        .choice("format", words, default: "text", placeholder: "FORMAT", "How to show it")
    }

    /// The arguments of a line whose words have single spaces between them.
    static func arguments(_ line: String) throws -> ParsedArguments {
        guard case .command(let arguments) = try request(line) else { throw NotACommand() }
        return arguments
    }

    static func request(_ line: String) throws(ArgumentError) -> Request {
        try tool.parse(words(line), scenarios: scenarios)
    }

    static func words(_ line: String) -> [String] {
        line.isEmpty ? [] : line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }

    struct NotACommand: Error {}
}
