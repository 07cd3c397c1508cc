import Glibc
import Testing

/// `check` compares files and scenarios with their expectations.
@Suite struct CheckTests {
    private static let good = """
        scenario "opposite orders"
        mutex a, b
        thread first { lock a { lock b { } } }
        thread second { lock b { lock a { } } }

        """

    /// A directory with files: by name, what each expects of two locks that are taken in opposite orders.
    static func folder(_ expectations: [String: String]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        for (name, expectation) in expectations {
            _ = try directory.write(name, Array((good + "expect \(expectation)\n").utf8))
        }
        return directory
    }

    /// The output without times.
    private static func timeless(_ ended: Ended) -> String { ended.output.replacing(#/ *[0-9]+\.[0-9]+ s/#, with: "") }

    static func mixed() throws -> TemporaryDirectory {
        try folder(["good.lab": "deadlock", "bad.lab": "completes", "wrong.lab": "deadlok"])
    }

    @Test func `files that hold pass, a line each`() throws {
        let directory = try Self.folder(["a.lab": "deadlock", "b.lab": "deadlock"])
        let check = try threadlab("check", ".").inDirectory(directory.path).run().succeeds()
            .prints(
                " s  a.lab  deadlock found after 2 executions; all 3 orders tried, under any memory model; native: ")
        #expect(check.lines.map { $0.prefix(4) } == ["pass", "pass", "2 pa"])
    }

    @Test func `an outcome that is not expected fails, with the command that shows it`() throws {
        let directory = try Self.folder(["a.lab": "completes", "b.lab": "deadlock"])
        let check = try threadlab("check", ".", "--controlled").inDirectory(directory.path).run()
            .exits(with: 1).isSilent().prints("\n1 passed, 1 failed (")
            .prints("\nFAIL a.lab\n  expected: completes\n  not expected: deadlock, found after 2 executions\n")
            .prints("first and second wait for each other; neither can ever continue.")
        try follow(check, in: directory).exits(with: 1).prints("deadlock: first and second wait")
    }

    /// Runs the command that the check prints for a failure.
    private func follow(_ check: Ended, in directory: TemporaryDirectory) throws -> Ended {
        let command = try #require(check.output.firstMatch(of: #/    threadlab (.*)\n/#)).output.1
        let words = command.split(separator: " ").map(String.init)
        return try Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path).run()
    }

    @Test func `a finding that no execution has fails, and it says whether this is a proof`() throws {
        let directory = try Self.folder(["a.lab": "deadlock, race"])
        let check = try threadlab("check", ".", "--seed", "7").inDirectory(directory.path).run().exits(with: 1)
            .prints("\n  expected: race, but none of 3 orders ends that way, under any memory model\n")
            .prints("\n    threadlab explore ./a.lab --keep-going --seed 7\n")
        try follow(check, in: directory).exits(with: 1).prints(
            "Not as expected: some execution should end in race, but none did.")
        try threadlab("check", ".", "--runs", "2").inDirectory(directory.path).run().exits(with: 1)
            .prints("expected: race, not seen in 2 executions: no proof that it cannot happen")
        try threadlab("check", directory.path, "--native").run().succeeds()
    }

    @Test func `the schedule of a failure is the shortest`() throws {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "counted wrongly"
            shared x = 0
            thread t[3] { repeat 2 { let r = x; x = r + 1 } }
            finally { assert x == 6 }
            expect race

            """
        _ = try directory.write("x.lab", Array(text.utf8))
        let check = try threadlab("check", "x.lab", "--controlled").inDirectory(directory.path).run().exits(with: 1)
        let explore = try threadlab("explore", "x.lab", "--keep-going", "--format", "json")
            .inDirectory(directory.path).run()
        let schedule = try #require(check.output.firstMatch(of: #/ --schedule (.*)\n/#)).output.1
        explore.prints("\"outcome\":\"assertion\"").prints("\"schedule\":\"\(schedule)\"")
    }

    @Test func `a program that must fail may not complete`() throws {
        let check = try plugin("check", "--builtin", "--filter", "mishap/sometimes", "--controlled").run()
            .exits(with: 1).prints("not expected: completed, found after ")
        #expect(check.output.contains(#/lab-plugin replay mishap --variant sometimes --schedule /#))
    }

    @Test func `a program that does something else when it is repeated fails`() throws {
        try plugin("check", "--builtin", "--filter", "mishap/leftover", "--controlled").run().exits(with: 1)
            .prints("not repeatable: an execution was repeated with the same choices, and step ")
            .prints("lab-plugin explore mishap --variant leftover --keep-going\n")
    }

    @Test func `states at the end must be seen too`() throws {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "states"
            atomic x = 0
            thread t[2] { x.store(index + 1) }
            expect sometimes x == 2
            expect sometimes x == 0
            expect outcomes { x == 1; x == 2; x == 1 }

            """
        let file = try directory.write("states.lab", Array(text.utf8))
        try threadlab("check", file).run().exits(with: 1).prints("FAIL")
            .prints("no run ends with 'x == 0': each of 2 orders ends differently").doesNotPrint("x == 1")
            .doesNotPrint("x == 2'")
    }

    @Test func `a wrong file is reported in full, and the others still run`() throws {
        let directory = try Self.folder(["a.lab": "deadlock", "b.lab": "deadlok", "c.lab": "completes"])
        let check = try threadlab("check", ".", "--controlled").inDirectory(directory.path).run()
            .exits(with: 2).prints("\n1 passed, 1 failed, 1 wrong file (").prints("WRONG")
        #expect(check.output.contains(#/\nWRONG b\.lab\n  \./b\.lab:5:8: error: .*\n +5 \| expect deadlok\n/#))
        try threadlab("check", directory.file("a.lab"), "none.lab", "/etc/passwd").run().exits(with: 2)
            .prints("  none.lab ").prints("  no such file or folder\n").prints("/etc/passwd is not a .lab file")
            .prints("1 passed, 2 wrong files")
    }

    @Test func `files are found in folders at any depth, each once, whatever links there are`() throws {
        let directory = try Self.folder(["b.lab": "deadlock", "no.txt": "deadlock", ".hidden.lab": "wrong"])
        try directory.directory("a")
        try directory.directory("a/x.lab")
        try directory.directory(".git")
        let odd = "-od d\n\u{1B}[31m'\"$(x).lab"
        for name in ["a/z.lab", "a/x.lab/\(odd)", ".git/y.lab"] {
            _ = try directory.write(name, Array((Self.good + "expect deadlock\n").utf8))
        }
        #expect(symlink("..", directory.file("a/loop")) == 0)
        #expect(symlink("loop", directory.file("a/endless")) == 0)
        #expect(symlink("self", directory.file("self")) == 0)
        #expect(symlink("../b.lab", directory.file("a/again.lab")) == 0)
        #expect(symlink("nowhere", directory.file("a/broken.lab")) == 0)
        #expect(mkfifo(directory.file("pipe.lab"), 0o644) == 0)
        let check = try threadlab("check", ".", "a", "./b.lab", "--controlled")
            .inDirectory(directory.path).run().exits(with: 2).isSafeToShow()
        #expect(
            check.lines.prefix(5).map { $0.dropFirst(17).prefix(14) } == [
                "a/again.lab   ", "a/broken.lab  ", "a/x.lab/-od d␊", "a/z.lab       ", "pipe.lab      ",
            ])
        check.prints("3 passed, 2 wrong files")
    }

    @Test func `a scenario that crashes or exits fails alone`() throws {
        let check = try plugin("check", "--builtin", "--filter", "trouble/[acehmnpq]*", "--runs", "3").run()
            .exits(with: 1).isSilent().isSafeToShow()
        let failed = check.lines.filter { $0.hasPrefix("FAIL  ") }
        for variant in ["crash", "abort", "quit", "misuse", "hostile-name"] {
            #expect(failed.contains { $0.contains("trouble/\(variant) ") }, "\(variant)")
        }
        check.prints("not expected: crash, found after 1 execution\n    The program crashed (SIGABRT).")
            .prints("    The program quit with status 7 before the scenario had finished.")
            .prints("lab-plugin replay trouble --variant crash --schedule 0").prints("\n4 passed, 5 failed (")
    }

    @Test func `a scenario that hangs fails alone`() throws {
        let check = try plugin("check", "--builtin", "--filter", "trouble/[bs]*", "--runs", "3", "--time", "4s").run()
            .exits(with: 1).isSilent().isSafeToShow()
        // Computing between two steps is limited in time of the processor, of which there may be too little in 4 s.
        let isDecided = !check.output.contains("1 undecided")
        check.prints(isDecided ? "not expected: timeout, found after 1 execution\n" : "undecided: no execution ended")
            .prints(isDecided ? "\n0 passed, 4 failed (" : "\n0 passed, 3 failed, 1 undecided (")
    }

    @Test func `after a crash that is expected, the search continues`() throws {
        try plugin("check", "--builtin", "--filter", "gamble", "--controlled").run().succeeds()
            .prints("crash found after 2 executions; all 2 orders tried, under any memory model\n")
    }

    @Test func `what a scenario says of its remains cannot keep the check from ending`() throws {
        let words = ["check", "--builtin", "--filter", "trouble/review", "--runs", "1", "--time", "2s"]
        try plugin(words + ["--native"]).run().exits(with: 3)
            .prints("ERROR").prints("  trouble/review  the scenario's review of what a run left does not end\n")
            .prints("\n0 passed, 1 not checked because of an error (")
        // Under the scheduler it is a part of the execution, which has not ended.
        try plugin(words + ["--controlled"]).run().exits(with: 1)
            .prints("undecided: no execution ended within the time limit\n").prints("\n0 passed, 1 undecided (")
    }

    @Test func `when time runs out, it says how far it came`() throws {
        let directory = try TemporaryDirectory()
        let text = "scenario \"x\"\natomic n = 0\nthread t[4] { repeat 100 { n.add(1) } }\nexpect completes\n"
        let file = try directory.write("x.lab", Array(text.utf8))
        try threadlab("check", file, "--controlled", "--time", "200ms").run().succeeds()
            .prints(" executions (no proof: time limit reached)\n")
    }

    @Test func `when all that is expected was seen, a search without news ends`() throws {
        let directory = try TemporaryDirectory()
        let text = "scenario \"x\"\nshared n = 0\nthread t[4] { repeat 4 { n = n + 1 } }\nexpect race\n"
        let file = try directory.write("x.lab", Array(text.utf8))
        try threadlab("check", file, "--controlled", "--time", "10m").run().succeeds()
            .prints("race found after 1 execution; no proof that this is all: nothing new for a long time\n")
    }

    @Test func `built-in scenarios are checked, those that a pattern picks`() throws {
        try threadlab("check", "--builtin", "--filter", "*ordered").run().succeeds().prints("3 passed")
            .prints(
                "deadlock/philosophers-ordered  proved with lazy time: none of 3 orders fails, under any memory model; native: "
            )
        try threadlab("check", "--builtin", "--filter", "join-self", "--controlled").run().succeeds()
            .prints("misuse found after 1 execution, in the only order with lazy time, under any memory model\n")
    }

    @Test func `after a failure nothing more is begun, if that is wished`() throws {
        let directory = try Self.folder(["a.lab": "deadlock", "b.lab": "completes", "c.lab": "deadlock"])
        let words = ["check", directory.path, "--controlled", "--jobs", "1", "--fail-fast"]
        try Invocation(program: Programs.threadlab, arguments: words).run().exits(with: 1)
            .prints("1 passed, 1 failed, 1 not run (")
        try Invocation(program: Programs.threadlab, arguments: words + ["--tap"]).run().exits(with: 1)
            .prints("1..3\n").prints("# SKIP not run\n")
    }

    @Test func `however many work at it, the text is the same`() throws {
        let words = ["check", "--builtin", "--filter", "[ds]*k/*", "--controlled", "--runs", "30", "--jobs"]
        let texts = try ["1", "2", "7"].map { jobs in
            Self.timeless(try Invocation(program: Programs.threadlab, arguments: words + [jobs]).run().succeeds())
        }
        #expect(Set(texts).count == 1 && texts[0].contains("19 passed"))
    }

    @Test(.enabled(if: access("/bin/bash", X_OK) == 0, "bash is not installed"))
    func `printed commands work for every name of a file`() throws {
        let names = [
            "two words", "it's", "$HOME", "line\nbreak", "-dash", "`tick`", "back\\slash", "üñï 日本", "*", "a;b",
            "\u{1B}[31m", "\"x\"", "#", "~", "\u{202E}x",
        ]
        let directory = try Self.folder(Dictionary(uniqueKeysWithValues: names.map { ($0 + ".lab", "completes") }))
        let check = try threadlab("check", ".", "--controlled").inDirectory(directory.path).run().exits(with: 1)
        let commands = check.lines.filter { $0.hasPrefix("    threadlab replay ") }
        #expect(commands.count == names.count)
        let dashed = try threadlab("explore", "--", "-dash.lab").inDirectory(directory.path).run().exits(with: 1)
        let replay = try #require(dashed.lines.first { $0.hasPrefix("  Replay: ") }).dropFirst("  Replay: ".count)
        for command in commands + [String(replay)] {
            let script = "threadlab() { \(Programs.threadlab) \"$@\"; }; \(command)"
            try Invocation(program: "/bin/bash", arguments: ["-c", script]).inDirectory(directory.path).run()
                .exits(with: 1).prints("deadlock: ")
        }
    }

    @Test func `a folder without programs is wrong, and the others are checked`() throws {
        let directory = try Self.folder(["a.lab": "deadlock"])
        try directory.directory("empty")
        try directory.directory("full")
        _ = try directory.write("full/b.lab", Array((Self.good + "expect deadlock\n").utf8))
        let words = ["check", "empty", "a.lab", "--controlled"]
        let check = Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path)
        try check.run().exits(with: 2).prints("WRONG").prints("no .lab file in this folder").prints("1 passed")
        let list = try threadlab("check", "empty", "a.lab", "--list").inDirectory(directory.path).run()
            .exits(with: 2).prints("a.lab\n")
        #expect(list.errors == "empty: no .lab file in this folder\n")
        // What is found twice is there.
        for folders in [["full", "."], [".", "full"], ["full/b.lab", "full"]] {
            let words = ["check", "--controlled"] + folders
            try Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path).run().succeeds()
        }
        try threadlab("format", "empty", "a.lab").inDirectory(directory.path).run().exits(with: 2)
            .complainsInOneLine(about: "no .lab file in 'empty'")
    }

    @Test func `an impossible request is reported, and nothing runs`() throws {
        try threadlab("check").run().exits(with: 2).printsNothing()
            .complains("check: name .lab files, folders or what 'threadlab show' lists, or use --builtin")
        let directory = try Self.folder(["a.lab": "deadlock"])
        try threadlab("check", ".", "--filter", "x*").inDirectory(directory.path).run().exits(with: 2)
            .printsNothing().complains("--filter: no scenario matches 'x*'")
        try threadlab("check", "/dev").run().exits(with: 2).printsNothing().complains("no .lab file in '/dev'")
        try threadlab("check", ".", "--tap", "--format", "json").inDirectory(directory.path).run().exits(with: 2)
            .printsNothing().complainsInOneLine(about: "--tap")
        try threadlab("check", ".", "--junit", ".").inDirectory(directory.path).run().exits(with: 2).printsNothing()
            .complains("cannot save the report in '.': it is a directory")
        try threadlab("check", ".", "--junit", "none/x.xml").inDirectory(directory.path).run().exits(with: 2)
            .printsNothing().complains(
                "cannot save the report in 'none/x.xml': there is no folder 'none'; create it first")
    }
}
