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
                  --help      Show this help (also -h)
                  --version   Show the version
                  --no-pager  Do not show long output in the pager (PAGER)

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
}
