import Support
import Testing

/// A seed, a schedule, a saved trace: each repeats the run, byte for byte.
@Suite struct ReplayTests {
    private static let formats = ["text", "lanes", "json", "none"]

    @Test(arguments: Extent.part(of: CommandTests.schedulable, every: 3)) func `the same seed gives the same bytes`(
        scenario: String
    ) throws {
        for format in Self.formats {
            let runs = try (1...3).map { _ in
                try threadlab("run", scenario, "--seed", "5", "--format", format).run().succeeds().output
            }
            #expect(Set(runs).count == 1)
        }
    }

    @Test(arguments: Extent.part(of: CommandTests.schedulable, every: 3), ["--native", "--controlled"])
    func `a saved trace prints what the run printed`(scenario: String, runtime: String) throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        for format in Self.formats {
            let run = try threadlab("run", scenario, runtime, "--save", file, "--format", format).run().succeeds()
            #expect(directory.names == ["x.trace"])
            let trace = try threadlab("trace", file, "--format", format).run().succeeds()
            // Only a run says where to look for another.
            let advice = ["  It went well this time.", "  Search: "]
            #expect(trace.lines == run.lines.filter { line in !advice.contains { line.hasPrefix($0) } })
            let own = run.output.split(separator: "\n").filter { !$0.hasPrefix("{\"finding\"") }.map { $0 + "\n" }
            if format == "json" { #expect(Files.text(file) == own.joined()) }
        }
    }

    @Test func `a trace carries its program: it is replayed and shown in any folder`() throws {
        let directory = try TemporaryDirectory()
        for folder in ["here", "elsewhere"] { try directory.directory(folder) }
        let text = "scenario \"x\"\nmutex m\nthread t { lock m { yield } }\n"
        _ = try directory.write("here/x.lab", Array(text.utf8))
        let (here, elsewhere) = (directory.file("here"), directory.file("elsewhere"))
        let commands = try directory.write("commands", Array("source\nquit\n".utf8))
        for (name, runtime) in [("seed", ["--seed", "1"]), ("native", ["--native"])] {
            let trace = directory.file(name)
            try Invocation(program: Programs.threadlab, arguments: ["run", "x.lab", "--save", trace] + runtime)
                .inDirectory(here).run().succeeds()
            func both(_ words: String...) throws {
                let outputs = try [here, elsewhere].map { folder in
                    try Invocation(program: Programs.threadlab, arguments: words + [trace]).inDirectory(folder).run()
                        .succeeds().output.replacing(#/Replay: .*\n/#, with: "")
                }
                #expect(outputs[0] == outputs[1])
            }
            try both("replay", "--format", "lanes", "--code")
            try both("trace", "--format", "lanes", "--code")
            try both("trace", "--findings", "--diagnose", "all")
            for (number, folder) in [here, elsewhere].enumerated() {
                let words = ["replay", trace, "--format", "none", "--html", directory.file("\(number).html")]
                try Invocation(program: Programs.threadlab, arguments: words).inDirectory(folder).run().succeeds()
            }
            let pages = (0...1).map {
                Files.text(directory.file("\($0).html"))?.replacing(#/threadlab replay [^"<\n]*/#, with: "")
            }
            #expect(pages[0] == pages[1])
            #expect(Files.text(directory.file("1.html"))?.contains("lock m { yield }") == true)
            try threadlab("play", trace, "--plain").reading(from: commands).inDirectory(elsewhere).run().succeeds()
                .prints("lock m")
        }
    }

    @Test func `a trace of a program that has changed since says where, and replays its own`() throws {
        let directory = try TemporaryDirectory()
        let text = "scenario \"x\"\nmutex m\nthread t { lock m { yield } }\n"
        _ = try directory.write("x.lab", Array(text.utf8))
        try threadlab("run", "x.lab", "--seed", "1", "--save", "x.trace").inDirectory(directory.path).run().succeeds()
        try threadlab("replay", "x.trace").inDirectory(directory.path).run().succeeds().prints(
            "Replay: threadlab replay x.lab ")
        _ = try directory.write("x.lab", Array(text.replacing("lock m { yield }", with: "yield").utf8))
        try threadlab("replay", "x.trace").inDirectory(directory.path).run().exits(with: 0).prints("mutex.acquire")
            .prints("Replay: threadlab replay x.trace")
            .complainsInOneLine(
                about:
                    "x.lab has changed since the trace was saved, first at line 3: what is replayed is the trace's own copy"
            )
        _ = try directory.write("x.lab", Array("no program".utf8))
        try threadlab("replay", "x.trace").inDirectory(directory.path).run().exits(with: 0).prints("mutex.acquire")
    }

    @Test func `a trace of another build of a scenario says so`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        let text = try threadlab("run", "deadlock", "--seed", "1", "--format", "json").run().succeeds().output
        let digest = try #require(text.firstMatch(of: #/"digest":"([0-9a-f]{16})"/#)).output.1
        try Files.write(file, Array(text.replacing(digest, with: "0000000000000000").utf8))
        try threadlab("replay", file).run().exits(with: 0)
            .complainsInOneLine(about: "the source of deadlock has changed since the trace was saved")
        let version = try #require(text.firstMatch(of: #/"version":"([^"]*)"/#)).output.0
        try Files.write(file, Array(text.replacing(version, with: #""version":"0.0.1""#).utf8))
        try threadlab("replay", file).run().exits(with: 0)
            .complainsInOneLine(about: "the trace is of version 0.0.1 of threadlab, and this is version ")
    }

    @Test func `a trace of an earlier version, without its program, says where to replay it`() throws {
        let directory = try TemporaryDirectory()
        try directory.directory("elsewhere")
        _ = try directory.write("x.lab", Array("scenario \"x\"\nthread t { yield }\n".utf8))
        let run = try threadlab("run", "x.lab", "--seed", "1", "--format", "json").inDirectory(directory.path).run()
        let old = run.output.replacing(#/,"program":\{[^}]*\{[^}]*\}[^}]*\}/#, with: "")
        #expect(!old.contains("program") && old.contains(#""schedule""#))
        _ = try directory.write("x.trace", Array(old.utf8))
        try threadlab("replay", "x.trace").inDirectory(directory.path).run().succeeds()
        try threadlab("replay", "../x.trace").inDirectory(directory.file("elsewhere")).run().exits(with: 2)
            .printsNothing()
            .complainsInOneLine(
                about: "there is no x.lab here, and the trace, of an earlier version of threadlab, does not")
        try threadlab("trace", "../x.trace").inDirectory(directory.file("elsewhere")).run().succeeds()
    }

    @Test(arguments: CommandTests.schedulable) func `a saved trace is replayed`(scenario: String) throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        let run = try threadlab("run", scenario, "--seed", "3", "--save", file).run().succeeds()
        let replay = try threadlab("replay", file).run().succeeds()
        // The replay command may use the seed, and the title has no seed now.
        func comparable(_ output: String) -> [Substring] {
            let text = output.replacing("\n          ", with: " ").replacing(", seed 3", with: "")
            let rows = text.split(separator: "\n").drop { !$0.contains("#") }
            let ends = ["  Replay: ", "  The schedule is too long", "  It went well this time."]
            return Array(rows.prefix { line in !ends.contains { line.hasPrefix($0) } })
        }
        #expect(comparable(replay.output) == comparable(run.output))
    }

    @Test func `a replay that behaves differently is reported`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        let text = try threadlab("run", "deadlock", "--seed", "1", "--format", "json").run().succeeds().output
        try Files.write(file, Array(text.replacing("\"mutex.wait\"", with: "\"mutex.busy\"").utf8))
        try threadlab("replay", file).run().exits(with: 1).complainsInOneLine(about: "differs from \(file) at event 11")
        try Files.write(file, Array(text.replacing(/"schedule":"[^"]*"/, with: "\"schedule\":\"0x2,7\"").utf8))
        try threadlab("replay", file).run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "choice 3 is thread 7, but there is no such thread")
    }

    @Test func `a schedule asks for an alternative that the step has`() throws {
        let directory = try TemporaryDirectory()
        let text = "scenario \"c\"\nshared x = 0\nthread t { x = choose(2) }\nfinally { assert x < 2 }\n"
        let file = try directory.write("c.lab", Array(text.utf8))
        try threadlab("replay", file, "--schedule", "1x2=1").run().succeeds()
        try threadlab("replay", file, "--schedule", "1x2=9").run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "choice 3 is =9, but the step has 2 alternatives, =0 to =1")
    }

    @Test func `a run that was given up is replayed as far as it came`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        try plugin("run", "trouble", "--variant", "busy", "--seed", "1", "--timeout", "300ms", "--save", file).run()
            .exits(with: 1)
        let replay = try plugin("replay", file, "--timeout", "300ms").run().exits(with: 1).prints("timeout: ")
        #expect(!replay.errors.contains("differs"))
    }

    @Test func `a crash is replayed by its schedule`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        let run = try plugin("run", "trouble", "--variant", "crash", "--seed", "2", "--save", file).run().exits(
            with: 1
        )
        .prints("Replay: lab-plugin replay trouble --variant crash --schedule ")
        let replay = try plugin("replay", file).run().exits(with: 1)
        #expect(replay.output == run.output.replacing(", seed 2", with: ""))
    }

    @Test func `many runs take one seed after the other, and name the one worth a look`() throws {
        let runs = try threadlab(
            "run", "producer-consumer", "--variant", "if-for-while", "--seed", "1", "--runs", "20"
        ).run()
            .succeeds().prints("run  1  seed  1  ").prints("run 20  seed 20  ").prints("\n20 of 20 runs: ")
        let command = try #require(runs.output.firstMatch(of: /Replay of run (\d+): threadlab ((?:replay|run) .*)\n/))
            .output
        #expect(runs.output.contains("run \(command.1.count == 1 ? " " : "")\(command.1)  seed "))
        try Invocation(program: Programs.threadlab, arguments: command.2.split(separator: " ").map(String.init)).run()
            .succeeds().prints("assertion: ")
    }

    @Test func `of many runs the most remarkable one is saved`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        try threadlab(
            "run", "producer-consumer", "--variant", "if-for-while", "--seed", "1", "--runs", "20", "--save", file
        ).run().succeeds()
        #expect(directory.names == ["x.trace"])
        try threadlab("trace", file, "--format", "none").run().succeeds().prints("assertion: ")
    }

    @Test func `one unexpected run among many is a finding`() throws {
        try plugin("run", "trouble", "--variant", "misuse", "--runs", "2").run().exits(with: 1)
            .prints("not expected: ").prints("2 of 2 runs: misuse 2")
    }
}
