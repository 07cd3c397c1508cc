import Arguments

/// threadlab's own command line, so that the tests say what its users will see.
enum Sample {
    static let tool = Tool(
        "threadlab", version: "1.0", summary: "run small concurrent programs and see what their threads did",
        commands: [list, show, run, replay, trace, completion])

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

    static let list = Command("list", "List the scenarios", options: [format(["text", "json"])])
    static let show = Command("show", "Explain a scenario", positionals: [name])
    static let run = Command(
        "run", "Run a scenario and say what happened",
        discussion: """
            Without a runtime the scenario runs under the scheduler that decides every step,
            so that the same seed gives the same run.

            The exit code is 0 if the outcome was the expected one.
            """,
        positionals: [name],
        options: [
            native, controlled,
            Option.seed("seed", "Where the choices come from"),
            Option.integer("repeat", in: 1...1_000_000, default: 1, "How many runs"),
            Option.duration("timeout", in: 1_000_000...3_600_000_000_000, default: "10s", "When a run is ended"),
            Option.file("trace", "Save the trace"),
            format(["text", "lanes", "json", "none"]),
            Option.choice(
                "color", ["auto", "always", "never"], default: "auto", placeholder: "WHEN", "Whether to use colors"),
        ],
        takesScenarioOptions: true,
        exclusive: [[native, controlled]],
        examples: [
            Example("run deadlock --seed 7", "Run it once; the same seed gives the same run"),
            Example("run producer-consumer --producers 3 --repeat 100", "Look for trouble in a hundred runs"),
        ])
    private static let native = Option.flag("native", "Run on real POSIX threads")
    private static let controlled = Option.flag("controlled", "Run one step at a time")
    static let replay = Command(
        "replay", "Run a schedule again",
        positionals: [Positional("NAME|TRACE", .scenarioOrFile, "The scenario, or a trace of it")],
        options: [Option.text("schedule", placeholder: "S", "The schedule to follow")], takesScenarioOptions: true)
    static let trace = Command(
        "trace", "Show saved traces", positionals: [Positional("FILE", .file, "The traces to show", .oneOrMore)],
        options: [format(["text", "lanes", "json"])])
    static let completion = Command(
        "completion", "Print a shell's completion script",
        positionals: [Positional("SHELL", .choice(["bash", "zsh", "fish"]), "The shell to complete for")])

    private static let name = Positional("NAME", .scenario, "The scenario, or a .lab file")

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
