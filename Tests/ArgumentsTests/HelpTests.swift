import Testing

@testable import Arguments

@Suite struct HelpTests {
    @Test func `the overview lists commands and the options that replace one`() {
        #expect(
            Sample.tool.helpText(for: .tool) == """
                threadlab: run small concurrent programs and see what their threads did

                Usage: threadlab COMMAND [OPTIONS] ...

                Commands:
                  list        List the scenarios
                  show        Explain a scenario
                  run         Run a scenario and say what happened
                  replay      Run a schedule again
                  trace       Show saved traces
                  completion  Print a shell's completion script
                  help        Explain a command

                Options:
                  --help              Show this help (also -h)
                  --version           Show the version
                  --no-pager          Do not show long output in the pager (PAGER)
                  --completion SHELL  Print a script that completes commands and options in your
                                      shell

                'threadlab help COMMAND' explains a command.

                """)
    }

    @Test func `a command's help shows ranges, choices, defaults, exclusions, and a scenario's options apart`() {
        let text = Sample.tool.helpText(
            for: .command("run", scenario: "producer-consumer"), scenarios: Sample.scenarios, width: 72)
        #expect(
            text == """
                threadlab run: Run a scenario and say what happened

                Usage: threadlab run [OPTIONS] NAME

                Without a runtime the scenario runs under the scheduler that decides
                every step, so that the same seed gives the same run.

                The exit code is 0 if the outcome was the expected one.

                Arguments:
                  NAME  The scenario, or a .lab file

                Options:
                  --native         Run on real POSIX threads (not with --controlled)
                  --controlled     Run one step at a time (not with --native)
                  --seed N         Where the choices come from
                  --repeat N       How many runs (from 1 to 1000000; default 1)
                  --timeout TIME   When a run is ended (from 1ms to 1h; default 10s)
                  --trace FILE     Save the trace
                  --format FORMAT  How to show it (text, lanes, json or none; default
                                   text)
                  --color WHEN     Whether to use colors (auto, always or never; default
                                   auto)
                  --help           Show this help (also -h)

                Options of producer-consumer:
                  --producers N  How many threads produce (from 1 to 64; default 2)
                  --capacity N   How many items the buffer holds (from 1 to 64; default
                                 4)
                  --pause TIME   Pause after each item
                  --policy TEXT  How the threads take turns
                  --offset N     The first item

                Examples:
                  threadlab run deadlock --seed 7
                      Run it once; the same seed gives the same run
                  threadlab run producer-consumer --producers 3 --repeat 100
                      Look for trouble in a hundred runs

                """)
    }

    @Test func `without a scenario, help says how to see a scenario's options`() {
        let text = Sample.tool.helpText(for: .command("run", scenario: nil), scenarios: Sample.scenarios, width: 100)
        #expect(text.contains("'threadlab help run SCENARIO' shows them."))
        #expect(!text.contains("Options of"))
    }

    @Test func `a scenario's option that has the name of one of the command's is not shown`() {
        let text = Sample.tool.helpText(for: .command("run", scenario: "greedy.lab"), scenarios: Sample.scenarios)
        #expect(text.contains("--format FORMAT  How to show it"))
        #expect(!text.contains("Not a"))
        #expect(text.contains("Options of greedy.lab:\n  --spurious  Wake up early\n"))
    }

    @Test func `a scenario file's words cannot control the terminal`() {
        let scenarios = KnownScenarios([]) { _ in
            [.choice("a\u{1B}", ["b\u{1B}"], placeholder: "\u{7}", "c\u{1B} d\u{202E}")]
        }
        let text = Sample.tool.helpText(for: .command("run", scenario: "x\u{1B}.lab"), scenarios: scenarios)
        #expect(
            text.split(separator: "\n").allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value < 128 } }
        )
        #expect(Sample.tool.completions(of: ["run", "x.lab", "--a"], scenarios: scenarios).isEmpty)
    }

    @Test(arguments: [0, 40, 60, 100])
    func `no line is wider than asked for, except one to paste; 40 columns is the least`(width: Int) {
        for command in Sample.tool.commands {
            let text = Sample.tool.helpText(
                for: .command(command.name, scenario: "deadlock"), scenarios: Sample.scenarios, width: width)
            for line in text.split(separator: "\n") where !line.hasPrefix("  threadlab ") {
                #expect(line.count <= max(width, 40), "\(line)")
                #expect(line.last != " ")
            }
        }
    }

    // MARK: - Much of it

    private struct Many: OptionGroup {
        let loud, quick, slow: Listed<Bool>

        init(_ list: inout OptionList) {
            loud = list.flag("loud", "Say it aloud")
            list.head("Research")
            quick = list.flag("quick", "Go fast")
            slow = list.flag("slow", "Go slowly")
        }
    }

    private static let walk = TypedCommand<Many>(
        "walk", "Walk somewhere", discussion: "It takes a while.", usual: ["loud"],
        formerOptions: ["fast": .option("--quick"), "leave": .line("rest --quick")],
        examples: [Example("walk --quick", "a short walk")])
    private static let rest = TypedCommand<Many>("rest", "Do nothing")
    private static let grouped = Tool(
        "legs", version: "1", summary: "go places", pages: [KnownWord("shoes", "What to wear")],
        commands: [walk.command, rest.command], groups: [("Go", ["walk"]), ("Stay", ["rest"])],
        formerNames: ["run": "'legs walk --quick'"])

    @Test func `commands in groups are on one screen with the pages`() {
        #expect(
            Self.grouped.helpText(for: .tool) == """
                legs COMMAND [OPTIONS] ...: go places
                Go    walk  Walk somewhere
                Stay  rest  Do nothing
                Pages shoes
                Help  COMMAND -h, help WORD, --version, --no-pager, --completion SHELL

                """)
    }

    @Test func `all options stand under their headings, and in brief only those that most users need`() throws {
        let whole = Self.grouped.helpText(for: .command("walk", scenario: nil))
        #expect(
            whole.contains(
                "Options:\n  --loud  Say it aloud\n  --help  Show this help (also -h)\n\nResearch:\n  --quick  Go fast\n"
            ))
        #expect(try Self.grouped.parse(["walk", "-h"]) == .help(.command("walk", scenario: nil, isBrief: true)))
        #expect(try Self.grouped.parse(["walk", "-h", "--help"]) == .help(.command("walk", scenario: nil)))
        #expect(
            Self.grouped.helpText(for: .command("walk", scenario: nil, isBrief: true)) == """
                legs walk: Walk somewhere

                Usage: legs walk [OPTIONS]

                Options:
                  --loud  Say it aloud
                  --help  Show this help (also -h)

                'legs walk --help' has the other 2 options, and examples.

                """)
    }

    @Test func `a former name is answered with the present one`() {
        func message(_ words: String...) -> String? {
            do throws(ArgumentError) { _ = try Self.grouped.parse(words) } catch { return error.message }
            return nil
        }
        #expect(message("run") == "'run' is now 'legs walk --quick'")
        #expect(message("help", "run") == "'run' is now 'legs walk --quick'")
        #expect(message("walk", "--fast") == "--fast is now --quick")
        #expect(message("walk", "--leave") == "--leave is now 'legs rest --quick'")
    }
}
