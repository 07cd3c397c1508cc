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

    private enum Form: String, CaseIterable { case text, json }
    private enum TraceForm: String, CaseIterable { case text, lanes, json }
    private enum RunForm: String, CaseIterable { case text, lanes, json, none }
    private enum Color: String, CaseIterable { case auto, always, never }
    private enum Shell: String, CaseIterable { case bash, zsh, fish }

    struct List: OptionGroup {
        init(_ list: inout OptionList) { _ = list.form(Form.text) }
    }
    struct Show: OptionGroup {
        init(_ list: inout OptionList) { _ = list.scenario() }
    }
    struct Run: OptionGroup {
        init(_ list: inout OptionList) {
            _ = list.scenario()
            let native = list.flag("native", "Run on real POSIX threads")
            let controlled = list.flag("controlled", "Run one step at a time")
            let _: Listed<UInt64?> = list.seed("seed", "Where the choices come from")
            _ = list.integer("repeat", in: 1...1_000_000, default: 1, "How many runs")
            _ = list.duration(
                "timeout", in: 1_000_000...3_600_000_000_000, default: "10s", "When a run is ended")
            _ = list.file("trace", "Save the trace")
            _ = list.form(RunForm.text)
            _ = list.choice("color", default: Color.auto, placeholder: "WHEN", "Whether to use colors")
            list.exclude([[native, controlled]])
        }
    }
    struct Replay: OptionGroup {
        init(_ list: inout OptionList) {
            _ = list.one("NAME|TRACE", .scenarioOrFile, "The scenario, or a trace of it")
            _ = list.text("schedule", placeholder: "S", "The schedule to follow")
        }
    }
    struct Trace: OptionGroup {
        init(_ list: inout OptionList) {
            _ = list.oneOrMore("FILE", .file, "The traces to show")
            _ = list.form(TraceForm.text)
        }
    }
    struct Completion: OptionGroup {
        init(_ list: inout OptionList) { _ = list.one(of: Shell.self, "SHELL", "The shell to complete for") }
    }

    static let list = TypedCommand<List>("list", "List the scenarios")
    static let show = TypedCommand<Show>("show", "Explain a scenario")
    static let run = TypedCommand<Run>(
        "run", "Run a scenario and say what happened",
        discussion: """
            Without a runtime the scenario runs under the scheduler that decides every step,
            so that the same seed gives the same run.

            The exit code is 0 if the outcome was the expected one.
            """,
        takesScenarioOptions: true,
        examples: [
            Example("run deadlock --seed 7", "Run it once; the same seed gives the same run"),
            Example("run producer-consumer --producers 3 --repeat 100", "Look for trouble in a hundred runs"),
        ])
    static let replay = TypedCommand<Replay>(
        "replay", "Run a schedule again", takesScenarioOptions: true)
    static let trace = TypedCommand<Trace>("trace", "Show saved traces")
    static let completion = TypedCommand<Completion>(
        "completion", "Print a shell's completion script")

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

extension OptionList {
    fileprivate mutating func scenario() -> Listed<String> { one("NAME", .scenario, "The scenario, or a .lab file") }

    fileprivate mutating func form<Form: RawRepresentable<String> & CaseIterable & Sendable>(
        _ form: Form
    ) -> Listed<Form> { choice("format", default: form, placeholder: "FORMAT", "How to show it") }
}
