import Glibc
import Support
import Testing

/// `.lab` files that run compiled programs.
@Suite struct CompiledCheckTests {
    private let program: CProgram

    init() throws {
        program = try CProgram("deadlock")
        try program.write(
            "opposite.lab", "scenario \"opposite orders\"\nrun \"./deadlock\"\nexpect deadlock\n")
        try program.write(
            "same.lab", "scenario \"one order\"\nrun \"./deadlock\"(arguments: \"same\")\nexpect completes\n")
    }

    @Test func `several such files are checked beside others, each by a command of its own`() throws {
        try program.write("wrong.lab", "scenario \"wrong\"\nrun \"./deadlock\"(arguments: \"same\")\nexpect deadlock\n")
        try program.write("missing.lab", "scenario \"missing\"\nrun \"./nowhere\"\nexpect completes\n")
        try program.write("plain.lab", "scenario \"plain\"\natomic x = 0\nthread a { x.add(1) }\nexpect completes\n")
        let files = ["missing", "opposite", "plain", "same", "wrong"].map { "./\($0).lab" }
        let checked = try program.threadlab(["check"] + files + ["--controlled", "--junit", "report.xml"])
            .exits(with: 2)
        checked.prints("opposite.lab  deadlock found after 2 executions")
            .prints("same.lab      ")
            .prints("FAIL").prints("wrong.lab     expected: may end in deadlock; found: no deadlock")
            .prints("threadlab explore ./wrong.lab --keep-going")
            .prints("missing.lab runs './nowhere', and there is no such program: build it before")
            .prints("plain.lab     proved")
            .prints("3 passed, 1 failed, 1 wrong file")
        let report = try program.read("report.xml")
        #expect(report.contains("tests=\"5\""))
        #expect(report.contains("name=\"opposite.lab\""))
    }

    @Test func `a single file is explored, and its schedule replayed, with what it gives its program`() throws {
        let found = try program.threadlab(["explore", "opposite.lab"]).exits(with: 0)
            .prints("deadlock: deposit and audit wait for each other")
        let replay = try #require(found.output.firstMatch(of: /Replay: threadlab (replay .+)/)).output.1
        #expect(replay.hasPrefix("replay opposite.lab "))
        try program.threadlab(replay.split(separator: " ").map(String.init)).exits(with: 0)
            .prints("deadlock: deposit and audit wait for each other")
        try program.threadlab(["explore", "same.lab"]).exits(with: 0).prints(
            "proved: none of 2 orders fails, under any memory model.")
        try program.threadlab(["check", "same.lab"]).exits(with: 0).prints("1 passed")
            .prints("Proofs of compiled programs are about what the compiler tells of them").doesNotPrint("Swift")
        try program.threadlab(["show", "opposite.lab"]).exits(with: 0).prints("opposite orders")
    }

    @Test(arguments: [
        (
            ["explore", "--strategy", "states"],
            "the state of compiled code cannot be saved; dpor searches all programs"
        ),
        (["explore", "--suggest"], "--suggest changes programs in .lab files; ./deadlock runs compiled code"),
    ])
    func `what only programs in .lab files have is refused in words that are true of compiled code`(
        command: [String], message: String
    ) throws {
        try program.threadlab([command[0], "./deadlock"] + command.dropFirst()).exits(with: 2)
            .complainsInOneLine(about: message)
    }

    @Test func `a program is given its input and its environment`() throws {
        let program = try CProgram("given")
        try program.write("amounts.txt", "17\n")
        let run =
            "run \"./given\"(arguments: \"'two words' 3\", input: \"amounts.txt\", environment: \"MODE='fast mode' LEVEL=2\")"
        try program.write("given.lab", "scenario \"given\"\n\(run)\nexpect completes\n")
        try program.threadlab(["check", "given.lab"]).exits(with: 0).prints("1 passed")
        // In every execution.
        try program.threadlab(["explore", "given.lab", "--strategy", "random", "--runs", "20"]).exits(with: 0)
            .prints("no finding: in 20 executions")
        try program.threadlab(["explore", "./given", "--runs", "1"]).exits(with: 1)
    }

    @Test(arguments: [
        ("run \"deadlock\"", "a program is named by its path, as in run \"./bank\""),
        ("run \"./deadlock\"(argument: \"same\")", "a program is not given 'argument'"),
        ("run \"./deadlock\"(arguments: same)", "what a program is given is a text in quotation marks"),
        (
            "run \"./deadlock\"(arguments: \"'same\")",
            "bad.lab:2:29: error: this text is read as a shell reads words, and a quotation mark in it is not closed"
        ),
        ("parameter n = 2\nrun \"./deadlock\"", "a program takes no parameters: 'n' cannot reach it"),
        ("run \"./deadlock\"\nrun \"./deadlock\"", "there is a second 'run'"),
        ("atomic x = 0\nrun \"./deadlock\"", "a file with 'run' can contain only parameters and expectations"),
        ("run producer-consumer(items: \"2\")", "a built-in scenario takes no texts: write a word or a constant"),
    ])
    func `what is wrong with such a file is said`(text: String, message: String) throws {
        try program.write("bad.lab", "scenario \"bad\"\n\(text)\nexpect completes\n")
        let checked = try program.threadlab(["check", "bad.lab"]).exits(with: 2)
        #expect((checked.output + checked.errors).contains(message), "\(checked.output)\(checked.errors)")
    }

    @Test func `what only shows a saved run starts no program`() throws {
        let program = try CProgram("marks")
        try program.write("marks.lab", "scenario \"marks\"\nrun \"./marks\"\nexpect completes\n")
        for name in ["./marks", "marks.lab"] {
            try program.threadlab(["run", name, "--save", "failure.trace"]).exits(with: 1)
            for words in [["trace"], ["trace", "--findings"], ["export"], ["diff", "failure.trace"]] {
                try program.remove("STARTED")
                _ = try program.threadlab(words + ["failure.trace"])
                #expect(!program.has("STARTED"), "\(words)")
            }
            try program.remove("failure.trace")
        }
        _ = try program.threadlab(["litmus", "marks.lab"]).exits(with: 2)
        _ = try program.threadlab(["show", "marks.lab"]).exits(with: 0)
        _ = try program.threadlab(["check", "marks.lab", "--list"]).exits(with: 0)
        #expect(!program.has("STARTED"))
    }

    @Test func `input that is no file is refused`() throws {
        try program.write(
            "input.lab", "scenario \"input\"\nrun \"./deadlock\"(input: \".\")\nexpect completes\n")
        let checked = try program.threadlab(["explore", "input.lab"]).exits(with: 2)
        #expect(checked.errors.contains("the input of ./deadlock, is not a file"), "\(checked.errors)")
    }

    @Test func `submissions, and the texts of traces, run no programs`() throws {
        try program.write(
            "task.lab", "scenario \"task\"\natomic x = 0\nthread a { x.add(1) }\ntask\nexpect completes\n")
        let judged = try program.threadlab(["check", "opposite.lab", "--against", "task.lab"])
        #expect(judged.code != 0)
        #expect(!judged.output.contains("deadlock found"), "\(judged.output)")
    }

    // MARK: - Proofs that are remembered

    /// Whether a check of the file, by itself and with others, uses proofs of before.
    private func remembers(_ program: CProgram, _ variables: String...) throws -> [Bool] {
        try [["same.lab"], ["same.lab", "opposite.lab"]].map { files in
            let words =
                ["-i", "PATH=/usr/bin:/bin"] + variables + [Programs.threadlab, "check", "--cache", "proofs"] + files
            let line = try program.runs("/usr/bin/env", words).exits(with: 0).output.split(separator: "\n")
                .first { $0.contains("same.lab") }
            return try #require(line).contains("(remembered)")
        }
    }

    private func write(_ arguments: String, to program: CProgram) throws {
        try program.write(
            "same.lab",
            "scenario \"one order\"\nrun \"./deadlock\"(arguments: \"\(arguments)\", input: \"input\")\nexpect completes\n"
        )
    }

    @Test func `a proof is remembered until a byte of what it depends on is another`() throws {
        try program.write("input", "1\n")
        try write("same", to: program)
        #expect(try remembers(program) == [false, true])
        #expect(try remembers(program) == [true, true])
        try program.write("input", "2\n")
        #expect(try remembers(program) == [false, true], "another input")
        #expect(try remembers(program, "MODE=fast") == [false, true], "another environment")
        try write("same more", to: program)
        #expect(try remembers(program) == [false, true], "other arguments")
        let source = try program.text(of: "deadlock.c")
        try program.write(source + "int unused = 1;\n", to: "deadlock.c")
        try program.build("deadlock")
        #expect(try remembers(program) == [false, true], "another program")
        #expect(try remembers(program) == [true, true])
        // With another library nothing is proved, and so nothing remembered.
        try program.write("library.c", "int unused = 1;\n")
        try program.buildLibrary("library")
        try program.build("deadlock", "-Wl,--no-as-needed", "./library.so")
        #expect(try remembers(program) == [false, false], "another library")
    }

    @Test func `a check leaves nothing in the folder for temporary files`() throws {
        try program.write(
            "endless.lab", "scenario \"endless\"\nrun \"./deadlock\"(arguments: \"same\")\nexpect completes\n")
        try program.makeFolder("temporary")
        _ = try program.runs(
            "/usr/bin/env",
            [
                "TMPDIR=\(program.folderPath)/temporary", Programs.threadlab, "check", "opposite.lab", "same.lab",
                "endless.lab",
            ]
        )
        .exits(with: 0)
        #expect(TemporaryDirectory.names(in: "\(program.folderPath)/temporary").isEmpty)
    }

    @Test func `a compiled program is checked by its path, and held to no task or run on real threads`() throws {
        try program.threadlab(["check", "./deadlock", "--controlled"]).exits(with: 1).prints("deadlock")
        for words in [["./deadlock"], ["opposite.lab", "same.lab"]] {
            try program.threadlab(["check", "--native"] + words).exits(with: 2).printsNothing()
                .complainsInOneLine(about: "runs on real threads when it is started without threadlab")
        }
        try program.write(
            "task.lab",
            "scenario \"t\"\natomic x = 0\nthread a { x.add(1) }\nexpect completes\ntask { at most 40 lines }\n")
        try program.threadlab(["check", "./deadlock", "--against", "task.lab"]).exits(with: 2)
            .prints("a submission is a .lab file, and ./deadlock is a compiled program")
        for command in ["run", "explore"] {
            try program.threadlab([command, "./deadlock", "--against", "task.lab"]).exits(with: 2).printsNothing()
                .complainsInOneLine(about: "a submission is a .lab file")
        }
        try program.threadlab(["check", "deadlock.c"]).exits(with: 2).prints("build it with 'threadlab cc -- cc -g")
        try program.threadlab(["check", "./deadlock", "--", "same"]).exits(with: 2).printsNothing()
            .complainsInOneLine(about: "write a .lab file with run \"./app\"(arguments: \"…\")")
    }

    /// In a repository, a word names what an earlier check has printed: never a program to start.
    @Test func `a word without a path starts no program of a repository's folder`() throws {
        try program.makeFolder(".git")
        try program.makeFolder("sub")
        try program.runs("/bin/cp", ["deadlock", "tool"]).exits(with: 0)
        let ended = try Invocation(program: Programs.threadlab, arguments: ["check", "tool"])
            .inDirectory(program.folderPath + "/sub").run().exits(with: 2)
        #expect(!(ended.output + ended.errors).contains("found"))
    }

    /// The file is changed when its check has been printed, which is waited for.
    @Test(arguments: ["plain.lab", "./deadlock"]) func `a watched check is repeated when its file changes`(
        name: String
    ) throws {
        try program.write("plain.lab", "scenario \"plain\"\natomic x = 0\nthread a { x.add(1) }\nexpect completes\n")
        let script = """
            '\(Programs.threadlab)' check \(name) --controlled --watch >out 2>err & tool=$!
            until grep -q watching err; do :; done
            cp \(name) copy && mv copy \(name)
            until [ "$(grep -c watching err)" = 2 ]; do :; done
            kill -TERM $tool; wait $tool; echo $? >code
            """
        try program.runs("/bin/bash", ["-c", script]).exits(with: 0)
        #expect(try program.read("out").ranges(of: name == "plain.lab" ? "1 passed" : "1 failed").count == 2)
        #expect(try program.read("code") == "143\n")
    }
}
