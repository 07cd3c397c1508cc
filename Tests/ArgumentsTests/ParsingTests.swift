import Testing

@testable import Arguments

@Suite struct ParsingTests {
    @Test(
        arguments: [
            "run deadlock --seed 7", "run deadlock --seed=7", "run --seed 7 deadlock", "run --seed=7 deadlock",
            "run --seed 7 -- deadlock",
        ])
    func `an option's value follows it, or comes after '='; the option may come before or after the scenario`(
        line: String
    ) throws {
        let arguments = try Sample.arguments(line)
        #expect(arguments.command == "run")
        #expect(arguments.text("NAME") == "deadlock")
        #expect(arguments.seed("seed") == 7)
    }

    @Test(
        arguments: ["run deadlock --seed 1 --seed 7", "run --seed=9 deadlock --seed=7"])
    func `of an option that is given twice the last one counts`(line: String) throws {
        #expect(try Sample.arguments(line).seed("seed") == 7)
    }

    @Test func `of an option that is declared to repeat every value counts, in its order`() throws {
        struct Options: OptionGroup {
            let filter: Listed<[String]>
            init(_ list: inout OptionList) { filter = list.texts("filter", "Which") }
        }
        let command = TypedCommand<Options>("check", "c")
        let tool = Tool("t", version: "1", summary: "s", commands: [command.command])
        for (words, values) in [(["check"], []), (["check", "--filter", "b", "--filter=a"], ["b", "a"])] {
            guard case .command(let parsed) = try tool.parse(words) else {
                Issue.record("no command")
                continue
            }
            let arguments = command.read(parsed)
            #expect(arguments.filter == values)
            #expect(arguments.isGiven(\.filter) == !values.isEmpty)
        }
        #expect(tool.helpText(for: .command("check", scenario: nil)).contains("Which (can be repeated)"))
        #expect(tool.completions(of: ["check", "--filter", "b", "--f"]).map(\.line) == ["--filter\tWhich"])
    }

    @Test(
        arguments: [
            "run producer-consumer --producers 3", "run --producers 3 producer-consumer",
            "run --producers=3 producer-consumer",
            "run --native --producers 3 --repeat 2 producer-consumer",
        ])
    func `a scenario's own options are understood before and after its name`(line: String) throws {
        let arguments = try Sample.arguments(line)
        #expect(arguments.text("NAME") == "producer-consumer")
        #expect(arguments.integer("producers") == 3)
        #expect(arguments.scenario == ["producers": .integer(3)])
        #expect(arguments.integer("capacity") == 4)
    }

    @Test(
        arguments: [
            ("run --try-lock deadlock", "try-lock"), ("run deadlock --try-lock", "try-lock"),
            ("run --spurious greedy.lab", "spurious"),
        ])
    func `a scenario's flag before its name does not swallow the name`(line: String, flag: String) throws {
        #expect(try Sample.arguments(line).isGiven(flag))
    }

    @Test(
        arguments: [
            "run producer-consumer --offset -5", "run producer-consumer --offset=-5",
            "run --offset=-5 producer-consumer",
        ])
    func `a negative number is a value, and not an option`(line: String) throws {
        #expect(try Sample.arguments(line).integer("offset") == -5)
    }

    @Test func `a value with two dashes needs '='`() throws {
        #expect(try Sample.arguments("run deadlock --trace=--odd").text("trace") == "--odd")
        #expect(throws: ArgumentError.self) { try Sample.arguments("run deadlock --trace --odd") }
    }

    @Test func `after '--' every word is a positional`() throws {
        #expect(try Sample.arguments("trace a -- --format -h").texts("FILE") == ["a", "--format", "-h"])
        #expect(try Sample.arguments("trace -").texts("FILE") == ["-"])
    }

    @Test func `an option that is not given gives its default, or nothing`() throws {
        let arguments = try Sample.arguments("run deadlock")
        #expect(arguments.duration("timeout") == 10_000_000_000)
        #expect(arguments.text("format") == "text")
        #expect(arguments.seed("seed") == nil)
        #expect(arguments.text("variant") == "broken")
        #expect(!arguments.isGiven("timeout"))
        #expect(!arguments.isGiven("native"))
    }

    @Test func `a scenario file cannot take an option away from the command`() throws {
        let arguments = try Sample.arguments("run greedy.lab --seed 7")
        #expect(arguments.seed("seed") == 7)
        #expect(arguments.text("format") == "text")
        #expect(arguments.integer("repeat") == 1)
        #expect(arguments.scenario.isEmpty)
        #expect(throws: ArgumentError.self) { try Sample.arguments("run greedy.lab --format true") }
        #expect(try Sample.request("run greedy.lab --help") == .help(.command("run", scenario: "greedy.lab")))
    }

    @Test(
        arguments: [
            ("help", HelpTopic.tool), ("--help", .tool), ("-h", .tool),
            ("help run", .command("run", scenario: nil)), ("--help run", .command("run", scenario: nil)),
            ("run --help", .command("run", scenario: nil)),
            ("run -h --bogus", .command("run", scenario: nil, isBrief: true)),
            ("run nonsense --help", .command("run", scenario: nil)),
            ("run --seed --help", .command("run", scenario: nil)),
            ("run deadlock --help", .command("run", scenario: "deadlock")),
            ("help run deadlock", .command("run", scenario: "deadlock")),
            ("help help", .command("help", scenario: nil)),
        ])
    func `help is given wherever it is asked for, even beside mistakes`(line: String, topic: HelpTopic) throws {
        #expect(try Sample.request(line) == .help(topic))
    }

    @Test func `the version is asked for without a command`() throws {
        #expect(try Sample.request("--version") == .version)
    }

    @Test func `the words of a completion script are passed on as they are`() throws {
        #expect(try Sample.request("__complete -- run -- --s") == .complete(["run", "--", "--s"]))
        #expect(try Sample.request("__complete -- ") == .complete([""]))
    }

    @Test(arguments: Sample.tool.commands.flatMap(\.examples))
    func `every example in the help is a correct command line`(example: Example) throws {
        #expect(throws: Never.self) { try Sample.request(example.line) }
    }

    @Test func `a required positional that repeats takes one word or more, an optional one none or more`() throws {
        struct Options: OptionGroup {
            let paths: Listed<[String]>
            init(_ list: inout OptionList) { paths = list.any("PATH", .file, "What to check") }
        }
        let command = TypedCommand<Options>("check", "Check")
        let tool = Tool("lab", version: "1", summary: "", commands: [command.command])
        for paths in [[], ["a"], ["a", "b"]] {
            guard case .command(let parsed) = try tool.parse(["check"] + paths) else { throw Sample.NotACommand() }
            #expect(command.read(parsed).paths == paths)
        }
    }
}
