import Authoring
import Scenarios
import Testing

/// What each command does if nothing is wrong.
@Suite struct CommandTests {
    static let scenarios = Catalogue.builtIn.map { $0.name }
    /// Those that the scheduler can run.
    static let schedulable = Catalogue.builtIn.filter { $0.realThreadsOnly == nil }.map { $0.name }
    static let commands = [
        "run", "replay", "play", "trace", "diff", "costs", "explore", "litmus", "work", "check", "show", "explain",
        "learn", "new", "format", "lsp", "cc", "export",
    ]

    @Test func `alone, it says what to type first, on one screen`() throws {
        let page = try threadlab().with("COLUMNS", "80").run().succeeds().prints("\n  threadlab run deadlock ")
            .prints("'threadlab help' lists all commands")
        let lines = page.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count < 24 && lines.allSatisfy { $0.count < 80 })
    }

    @Test func `help lists all commands by what they are for, and all pages, on one screen`() throws {
        let help = try threadlab("help").with("COLUMNS", "80").run().succeeds().prints("threadlab COMMAND [OPTIONS]")
        let commands = help.lines.dropFirst().prefix { !$0.hasPrefix("Pages") }.map {
            $0.dropFirst(7).prefix { $0 != " " }
        }
        #expect(commands.map(String.init) == Self.commands && Self.commands.count <= 18)
        for group in ["See", "Search", "Check", "Teach", "Build", "Share"] { help.prints("\n\(group) ") }
        #expect(help.lines.count < 24 && help.lines.allSatisfy { $0.count <= 80 })
        #expect(try threadlab("--help").with("COLUMNS", "80").run().output == help.output)
    }

    @Test func `the version is one line`() throws {
        let version = try threadlab("--version").run().succeeds()
        #expect(version.output.wholeMatch(of: /threadlab \d+\.\d+\.\d+\n/) != nil)
    }

    @Test(arguments: commands + ["help"]) func `every command is explained, as a whole and in brief`(
        command: String
    ) throws {
        let help = try threadlab("help", command).wide.run().succeeds().prints("Usage: threadlab \(command)")
        #expect(try threadlab(command, "--help").wide.run().succeeds().output == help.output)
        let brief = try threadlab(command, "-h").wide.run().succeeds().prints("Usage: threadlab \(command)")
        let options = brief.lines.filter { $0.hasPrefix("  --") }
        #expect(options.count <= 15 && options.contains { $0.hasPrefix("  --help ") })
        for option in options { help.prints(option.split(separator: " ")[0] + " ") }
    }

    @Test(arguments: [
        ("list", "show"), ("diagnose", "trace FILE --findings"), ("page", "export NAME page.html"),
        ("graph", "export NAME graph.dot"), ("handout", "export NAME sheet.pdf"), ("grade", "learn grade"),
        ("merge", "check --merge RESULT..."), ("c++", "cc -- g++ ARGUMENTS"), ("completion", "--completion SHELL"),
    ]) func `a command that had another name is answered with the present one`(former: String, now: String) throws {
        for words in [[former], [former, "x", "--format", "json"], ["help", former]] {
            try Invocation(program: Programs.threadlab, arguments: words).run().exits(with: 2).printsNothing()
                .complainsInOneLine(about: "'\(former)' is now 'threadlab \(now)'")
        }
    }

    @Test(arguments: [
        ("run x.lab --trace f", "--trace is now --save"), ("run x.lab --repeat 3", "--repeat is now --runs"),
        ("run x.lab --schedule 0", "--schedule is now 'threadlab replay NAME --schedule S'"),
        ("run x.lab --svg f", "--svg is now 'threadlab export NAME drawing.svg'"),
        ("explore x.lab --executions 3", "--executions is now --runs"),
        ("explore x.lab --graph f.dot", "--graph is now 'threadlab export NAME states.dot --as states'"),
        ("trace x --film f", "--film is now 'threadlab export NAME film.svg --as film'"),
        ("diff x.lab --against y", "--against is now --with"),
    ]) func `an option that had another name is answered with the present one`(line: String, now: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let directory = try TemporaryDirectory()
        _ = try directory.write("x.lab", Array("scenario \"x\"\nshared a = 0\n".utf8))
        try Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path).run().exits(with: 2)
            .printsNothing().complainsInOneLine(about: now)
    }

    @Test func `what other tools call a command is understood`() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("x.lab", Array("scenario \"x\"\nshared a = 0\n".utf8))
        for name in ["fmt", "format"] {
            try threadlab(name, "x.lab").inDirectory(directory.path).run().succeeds().prints("shared a = 0")
        }
    }

    @Test func `help of a scenario has its options`() throws {
        try threadlab("help", "run", "producer-consumer").run().succeeds().prints("--capacity N").prints("Options of")
    }

    @Test func `show without a name lists every scenario and its variants`() throws {
        let short = try threadlab("show").run().succeeds().prints("\n  basics ").prints("\n  run-loops ")
        #expect(short.lines.count < 40)
        for scenario in Self.scenarios { short.prints(scenario) }
        let list = try threadlab("show", "--long").run().succeeds()
        for scenario in Self.scenarios { list.prints("\(scenario): ") }
        try threadlab("show", "run-loops").run().succeeds().prints("  run-loop-order: ").doesNotPrint("deadlock")
        list.prints("variants: opposite-orders, one-at-a-time, ordered,")
        list.prints("\n\nRun Loops:\n  run-loop-order: ").prints("\n\nThread-Safe Class Design:\n  atomic-property: ")
    }

    /// They only measure: none of their variants is broken.
    static let measurements: Set = ["too-small-to-thread"]

    @Test(arguments: scenarios) func `show explains a scenario, in its paragraphs`(scenario: String) throws {
        let page = try threadlab("show", scenario).run().succeeds()
        let isMeasurement = Self.measurements.contains(scenario)
        #expect(page.output.contains("\nBroken variants:") != isMeasurement)
        #expect(page.output.contains("\nFixed variants:") != isMeasurement)
        for section in [
            "Guide: ", "Source: Sources/Scenarios/",
            "threadlab run \(scenario)",
        ] {
            page.prints("\n\(section)".replacing("\nthreadlab", with: "\n  threadlab"))
        }
        page.doesNotPrint("`")
    }

    @Test func `a variant that measures, or can fail as well, is not called fixed`() throws {
        for (scenario, variant) in [("cancellation", "measured"), ("deadlock", "try-lock-jitter")] {
            let page = try threadlab("show", scenario).run().succeeds().output
            let others = try #require(page.split(separator: "\n\n").first { $0.hasPrefix("Other variants:") })
            #expect(others.contains("\n  \(variant) "))
        }
        let rare = try threadlab("show", "producer-consumer").run().succeeds().output.split(
            whereSeparator: \.isWhitespace)
        #expect(
            rare.joined(separator: " ").contains("may end in deadlock; real threads rarely show it, 'explore' does"))
    }

    @Test func `a lesson of two paragraphs is shown as two`() throws {
        try threadlab("show", "cancellation").run().prints("sees it.\n\nWhat to try: ")
    }

    @Test(arguments: ["--native", "--controlled"]) func `run shows each step and how it ended`(runtime: String) throws {
        try threadlab("run", "deadlock", "--variant", "ordered", runtime).run().succeeds()
            .prints("thread.create").prints("mutex.acquire").prints("where").prints("mutex.release").prints(
                "completed: "
            )
            .prints("As expected: 'ordered' completes.")
    }

    @Test func `a seed or a schedule makes a run controlled`() throws {
        try threadlab("run", "deadlock", "--seed", "4").run().succeeds().prints("controlled, seed 4")
            .prints("Replay: threadlab replay deadlock --schedule ")
        try threadlab("replay", "deadlock", "--schedule", "0").run().succeeds().prints(", controlled\n")
        try threadlab("run", "deadlock").run().succeeds().prints(", native\n").doesNotPrint("Replay: ")
    }

    @Test func `a command that prints a schedule can be pasted`() throws {
        let run = try threadlab("run", "deadlock", "--variant", "ring", "--threads", "4", "--seed", "7").run()
            .succeeds()
        let command = try #require(run.output.firstMatch(of: /Replay: threadlab (replay .*)\n/)).output.1
        #expect(command.contains("--variant ring --threads 4 --schedule "))
        let replay = try Invocation(
            program: Programs.threadlab, arguments: command.split(separator: " ").map(String.init)
        )
        .run().succeeds()
        #expect(replay.output == run.output.replacing(", seed 7", with: ""))
    }

    @Test func `lanes show a column for each thread`() throws {
        try threadlab("run", "deadlock", "--seed", "1", "--format", "lanes").run().succeeds()
            .prints("main  ").prints("first  ").prints("second").prints("blocked forever").prints("second  waits for a")
            .isSafeToShow()
    }

    @Test func `the format none says how it ended, and nothing else`() throws {
        let run = try threadlab("run", "deadlock", "--seed", "1", "--format", "none").run().succeeds()
        #expect(run.output.hasPrefix("deadlock: "))
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `completion prints a script for every shell`(shell: String) throws {
        try threadlab("--completion", shell).run().succeeds().prints("__complete")
    }

    @Test func `bash accepts its completion script`() throws {
        let directory = try TemporaryDirectory()
        let script = directory.file("script")
        try threadlab("--completion", "bash").writing(to: .file(script)).run().succeeds()
        try Invocation(program: "/bin/bash", arguments: ["-n", script]).run().succeeds()
    }

    @Test func `completion knows scenarios and their options`() throws {
        try threadlab("__complete", "--", "run", "dead").run().succeeds().prints("deadlock\t")
        try threadlab("__complete", "--", "run", "deadlock", "--variant", "ri").run().succeeds().prints("ring\t")
        try threadlab("__complete", "--", "run", "producer-consumer", "--cap").run().succeeds().prints("--capacity\t")
        for command in ["run", "explore", "replay", "trace", "check"] {
            try threadlab("__complete", "--", command, "--ht").run().succeeds().prints("--html\t")
        }
    }
}
