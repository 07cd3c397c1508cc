import Glibc
import Testing

/// What scripts ask of a check, beyond its verdicts.
@Suite struct CheckOptionTests {
    private static func check(_ directory: TemporaryDirectory, _ words: String...) -> Invocation {
        Invocation(program: Programs.threadlab, arguments: ["check", "."] + words).inDirectory(directory.path)
    }

    // MARK: - What is checked

    @Test(
        arguments: [
            (["a1"], ["a1.lab"]), (["a1.lab"], ["a1.lab"]), (["a?"], ["a1.lab", "a2.lab"]),
            (["a2", "sub/*"], ["a2.lab", "sub/b.lab"]), (["sub/b"], ["sub/b.lab"]),
            (["*"], ["a1.lab", "a2.lab", "sub/b.lab"]),
        ]) func `filters pick by name, with or without its suffix, and --list shows what they pick`(
            filters: [String], names: [String]
        ) throws
    {
        let directory = try CheckTests.folder(["a1.lab": "deadlock", "a2.lab": "deadlock"])
        try directory.directory("sub")
        _ = try directory.write("sub/b.lab", Array("scenario \"b\"\nthread t { }\nexpect completes\n".utf8))
        let words = ["check", ".", "--list"] + filters.flatMap { ["--filter", $0] }
        let list = try Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path).run()
        #expect(list.succeeds().lines.map(String.init) == names)
        try Self.check(directory, "--filter", "x", "--filter", "a").run().exits(with: 2).printsNothing()
            .complains("--filter: no scenario matches 'x' or 'a'")
    }

    @Test func `--list runs nothing, and says which files are wrong`() throws {
        let directory = try CheckTests.mixed()
        let list = try Self.check(directory, "--list").run().exits(with: 2)
        #expect(list.output == "bad.lab\ngood.lab\n")
        #expect(list.errors.contains("./wrong.lab:5:8: error: "))
    }

    // MARK: - Files that cannot be checked

    @Test func `a path that does not exist is reported once`() throws {
        let check = try threadlab("check", "missing").run().exits(with: 2).isSilent()
        #expect(check.output.matches(of: /no such file or folder/).count == 1)
        #expect(check.output.matches(of: /missing/).count == 1)
    }

    @Test func `a name that is not UTF-8 is reported as such`() throws {
        let directory = try CheckTests.folder(["good.lab": "deadlock"])
        func make(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32) throws {
            let path = (Array(directory.path.utf8) + Array("/".utf8) + name + [0]).map { CChar(bitPattern: $0) }
            try #require(path.withUnsafeBufferPointer { body($0.baseAddress!) } >= 0)
        }
        try make(Array("x".utf8) + [0xFF] + Array(".lab".utf8)) { mknod($0, S_IFREG | 0o644, 0) }
        try make(Array("x".utf8) + [0xFF] + Array(".txt".utf8)) { mknod($0, S_IFREG | 0o644, 0) }
        try make([0xFF]) { mkdir($0, 0o755) }
        try Self.check(directory, "--controlled").run().exits(with: 2).isSafeToShow()
            .prints("x\u{FFFD}.lab: its name is not UTF-8; rename it\n")
            .prints("cannot read ./\u{FFFD}: its name is not UTF-8; rename it\n")
            .prints("\n1 passed, 2 wrong files (")
        try threadlab("format", "--check", ".").inDirectory(directory.path).run().exits(with: 2)
    }

    @Test func `a file that is not text has one message`() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("x.lab", Array(try #require(Files.read(Programs.threadlab)).prefix(4000)))
        let check = try Self.check(directory).run().exits(with: 2).isSilent()
        #expect(check.lines.count == 2 && check.output.contains("./x.lab is not a text file\n"))
        for command in ["run", "format", "show"] {
            try threadlab(command, "x.lab").inDirectory(directory.path).run().exits(with: 2)
                .complains("x.lab is not a text file")
        }
    }

    @Test func `a program whose runs on real threads have no time is undecided`() throws {
        try plugin("check", "--builtin", "--filter", "trouble/busy", "--native", "--time", "1ms").run().exits(with: 1)
            .prints("trouble/busy  undecided: no time for a run on real threads\n")
    }

    // MARK: - What is printed

    @Test func `--quiet prints failures and totals only`() throws {
        let directory = try CheckTests.mixed()
        let check = try Self.check(directory, "--quiet", "--controlled").run().exits(with: 2)
            .doesNotPrint("good.lab").prints("WRONG").prints("\n1 passed, 1 failed, 1 wrong file (")
        #expect(check.lines.contains { $0.hasPrefix("FAIL ") && $0.hasSuffix("expected: completes; found: deadlock") })
        let good = try CheckTests.folder(["a.lab": "deadlock"])
        #expect(try Self.check(good, "--quiet").run().succeeds().lines.count == 1)
        try Self.check(good, "--quiet", "--format", "json").run().exits(with: 2)
            .complains("--quiet cannot be combined with --format json")
    }

    @Test func `annotations name the file and the line, and the summary of the job has a table`() throws {
        let directory = try CheckTests.mixed()
        let file = directory.file("summary")
        try Files.write(file, Array("before\n".utf8))
        let check = try Self.check(directory, "--github", "--controlled").with("GITHUB_STEP_SUMMARY", file)
            .with("GITHUB_WORKSPACE", "/tmp").run().exits(with: 2)
        let annotations = check.lines.filter { $0.hasPrefix("::error ") }
        let folder = directory.path.dropFirst("/tmp/".count)
        #expect(annotations.count == 2)
        #expect(
            annotations[0].hasPrefix(
                "::error file=\(folder)/bad.lab,line=4,title=bad.lab::expected: completes; found: deadlock%0A"))
        #expect(annotations[1].hasPrefix("::error file=\(folder)/wrong.lab,line=5,title=wrong.lab::"))
        #expect(
            Files.text(file) == """
                before
                ### threadlab check: 1 passed, 1 failed, 1 wrong file

                | Scenario | Result |
                |---|---|
                | bad.lab | expected: completes; found: deadlock |
                | wrong.lab | ./wrong.lab:5:8: error: a run cannot end in 'deadlok' |


                """)
        try Self.check(directory, "--github", "--controlled").with("GITHUB_STEP_SUMMARY", directory.path).run()
            .exits(with: 2).complains("cannot write GITHUB_STEP_SUMMARY '\(directory.path)': Is a directory")
        try Self.check(directory, "--github", "--controlled").run().exits(with: 2)
    }

    @Test func `annotations, SARIF and JUnit point at the signal that came too early, not at where main waits`() throws
    {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "unheard"
            mutex m
            condition c with m
            thread waiter {
                lock m {
                    c.wait()
                }
            }
            thread sender {
                c.signal()
            }

            """
        let file = try directory.write("unheard.lab", Array(text.utf8))
        let (sarif, junit) = (directory.file("sarif"), directory.file("junit"))
        try threadlab("check", file, "--controlled", "--github", "--sarif", sarif, "--junit", junit).run()
            .exits(with: 1).prints("unheard.lab,line=10,title=")
        #expect(Files.text(sarif)?.contains("\"startLine\":10") == true)
        #expect(Files.text(junit)?.contains("unheard.lab:10\n") == true)
    }

    @Test func `annotations name files from the repository's root, however the check names them`() throws {
        let directory = try TemporaryDirectory()
        for folder in ["repository", "repository/.git", "repository/sub", "repository/sub/labs"] {
            try directory.directory(folder)
        }
        let mixed = try CheckTests.mixed()
        let program = try #require(Files.read(mixed.file("bad.lab")))
        _ = try directory.write("repository/sub/labs/bad.lab", program)
        let root = directory.file("repository")
        #expect(symlink(root, directory.file("link")) == 0)
        func check(_ path: String, in folder: String, _ workspace: String?) throws -> Ended {
            let invocation = threadlab("check", path, "--github", "--controlled").inDirectory(folder)
            return try (workspace.map { invocation.with("GITHUB_WORKSPACE", $0) } ?? invocation).run()
        }
        for (path, folder, workspace) in [
            ("sub/labs", root, root), ("labs", root + "/sub", root), (".", root + "/sub/labs", root),
            ("../labs/./bad.lab", root + "/sub/labs", root), (root + "/sub/labs", "/tmp", root),
            ("labs", directory.file("link") + "/sub", directory.file("link")), ("labs", root + "/sub", root + "/"),
            ("labs", root + "/sub", nil), ("sub/labs/bad.lab", root, nil),
        ] {
            try check(path, in: folder, workspace).prints("\n::error file=sub/labs/bad.lab,line=4,title=")
        }
        try check(root + "/sub/labs", in: "/tmp", "/usr").prints("\n::error file=\(root)/sub/labs/bad.lab,line=4,")
    }

    @Test(.enabled(if: access("/usr/bin/prove", X_OK) == 0), arguments: [true, false])
    func `TAP is read by prove`(isGood: Bool) throws {
        let directory = isGood ? try CheckTests.folder(["a.lab": "deadlock"]) : try CheckTests.mixed()
        let hostile = Array("scenario \"x\u{1B}]0;t\u{7}\"\n...\n---\nnot ok 7\n1..9\nBail out!\n".utf8)
        if !isGood { _ = try directory.write("# skip \\ # todo.lab", hostile) }
        let report = directory.file("report.tap")
        try Self.check(directory, "--tap", "--controlled").writing(to: .file(report)).run().exits(with: isGood ? 0 : 2)
        let prove = try Invocation(program: "/usr/bin/prove", arguments: ["-e", "/bin/cat", report]).run()
        #expect(prove.errors.isEmpty)
        prove.exits(with: isGood ? 0 : 1).prints(isGood ? "Files=1, Tests=1," : "(Wstat: 0 Tests: 4 Failed: 3)")
            .doesNotPrint("Parse errors")
    }

    // MARK: - Traces of failures

    @Test func `--save keeps a trace of each failure, which replay takes`() throws {
        let directory = try CheckTests.mixed()
        try directory.directory("..-evil")
        _ = try directory.write("..-evil/bad.lab", Array(try #require(Files.read(directory.file("bad.lab")))))
        let check = try Self.check(directory, "--save", "traces", "--controlled").run().exits(with: 2)
        #expect(TemporaryDirectory.names(in: directory.file("traces")) == ["bad.trace"])
        let line = check.lines.first { $0.hasPrefix("FAIL  ") }
        #expect(line?.hasSuffix("expected: completes; found: deadlock; trace: traces/bad.trace") == true)
        try threadlab("replay", "traces/bad.trace").inDirectory(directory.path).run().exits(with: 1)
            .prints("deadlock: first and second wait for each other")
        try Self.check(directory, "--save", "bad.lab").run().exits(with: 2).printsNothing()
            .complains("cannot save traces in 'bad.lab': it is not a directory")
    }

    @Test func `the trace of a failure on real threads is saved too`() throws {
        let directory = try TemporaryDirectory()
        let text = "scenario \"stuck\"\natomic x = 0\nthread t { await x.load() == 1 }\nexpect completes\n"
        _ = try directory.write("a b.lab", Array(text.utf8))
        try Self.check(directory, "--save", "traces", "--native", "--format", "json").run().exits(with: 1)
            .prints(#""trace":"traces/a-b.trace""#)
        try threadlab("trace", "traces/a-b.trace").inDirectory(directory.path).run().succeeds().prints(
            "a b.lab  native\n")
    }

    // MARK: - Known failures

    @Test func `a baseline allows the failures that it lists, and nothing else`() throws {
        let directory = try CheckTests.mixed()
        let list = directory.file("known.txt")
        try Self.check(directory, "--baseline", "known.txt").run().exits(with: 2).printsNothing()
            .complains("'known.txt' does not exist: --write-baseline creates it with the failures of today")
        try Self.check(directory, "--write-baseline", "known.txt", "--controlled").run().succeeds()
            .prints("\n1 passed, 2 known failures (")
        let lines = try #require(Files.text(list)).split(separator: "\n").dropFirst()
        #expect(lines == ["bad.lab: deadlock", "wrong.lab: wrong"])

        let known = try Self.check(directory, "--baseline", "known.txt", "--controlled").run().succeeds()
        #expect(known.lines.count { $0.hasPrefix("known ") } == 2)
        let json = try Self.check(directory, "--baseline", "known.txt", "--controlled", "--format", "json").run()
        json.succeeds().prints(#""known":2"#).prints(#""name":"bad.lab","verdict":"known""#)
        try Self.check(directory, "--baseline", "known.txt", "--controlled", "--tap").run().succeeds()
            .prints("not ok 1 - bad.lab # TODO known failure\n")

        try Files.write(list, Array("# What is broken today\n  bad.lab \r\n\n".utf8))
        try Self.check(directory, "--baseline", "known.txt", "--controlled").run().exits(with: 2)
            .prints("\n1 passed, 1 known failure, 1 wrong file (")
    }

    /// A program that can end in two ways that it does not expect, and promises one that it cannot.
    private static let unsteady = """
        scenario "unsteady"
        shared a = 0
        mutex m, n
        thread t[2] { a += 1 }
        thread first { lock m { lock n { } } }
        thread second { lock n { lock m { } } }
        expect misuse

        """

    @Test func `another failure of a listed scenario fails, whatever the scenario's name is`() throws {
        let directory = try TemporaryDirectory()
        let race = "scenario \"x\"\nshared a = 0\nthread t[2] { a += 1 }\nexpect completes\n"
        let deadlock = race.replacing("shared a = 0", with: "mutex m, n").replacing(
            "thread t[2] { a += 1 }", with: "thread t { lock m { lock n { } } }\nthread u { lock n { lock m { } } }")
        for name in ["lazy.lab", "a b.lab", "a: race.lab", "#x.lab"] {
            let folder = directory.file("\(name) folder")
            try directory.directory("\(name) folder")
            func check(_ words: String...) throws -> Ended {
                try Invocation(program: Programs.threadlab, arguments: ["check", ".", "--controlled"] + words)
                    .inDirectory(folder).run()
            }
            try Files.write("\(folder)/\(name)", Array(race.utf8))
            try check("--write-baseline", "known.txt").succeeds()
            try check("--baseline", "known.txt").succeeds().prints("1 known failure")
            try Files.write("\(folder)/\(name)", Array(deadlock.utf8))
            let other = try check("--baseline", "known.txt").exits(with: 1).prints("FAIL ")
                .doesNotPrint("known failure")
            #expect(other.errors.contains("known.txt does not list this failure of \(name): deadlock\n"))
        }
    }

    @Test func `a baseline lists each way in which a scenario fails, and what was not seen`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("x.lab", Array(Self.unsteady.utf8))
        let list = directory.file("known.txt")
        let options = ["--controlled"]
        func check(_ words: String...) throws -> Ended {
            try Invocation(program: Programs.threadlab, arguments: ["check", "x.lab"] + options + words)
                .inDirectory(directory.path).run()
        }
        try check("--write-baseline", "known.txt").succeeds()
        #expect(
            try #require(Files.text(list)).split(separator: "\n").dropFirst()
                == ["x.lab: deadlock", "x.lab: race", "x.lab: missing misuse"])
        let junit = directory.file("x.xml")
        let sarif = directory.file("x.sarif")
        try check("--baseline", "known.txt", "--junit", "x.xml", "--sarif", "x.sarif").succeeds()
            .prints("1 known failure")
        try check("--baseline", "known.txt", "--tap").succeeds().prints("not ok 1 - x.lab # TODO known failure")
        try check("--baseline", "known.txt", "--format", "json").succeeds().prints(#""verdict":"known""#)
        try check("--baseline", "known.txt", "--github").succeeds().doesNotPrint("::error")
        #expect(try #require(Files.text(junit)).contains("known") && !#require(Files.text(junit)).contains("<failure"))
        #expect(try #require(Files.text(sarif)).contains(#""suppressions""#))

        // One of them is not listed: all of the scenario fails.
        for left in 0..<3 {
            var lines = ["x.lab: deadlock", "x.lab: race", "x.lab: missing misuse"]
            let gone = lines.remove(at: left).dropFirst("x.lab: ".count)
            try Files.write(list, Array(lines.joined(separator: "\n").utf8))
            let ended = try check("--baseline", "known.txt").exits(with: 1).prints("1 failed")
            #expect(ended.errors == "threadlab: known.txt does not list this failure of x.lab: \(gone)\n")
        }
        // One more is listed: it may go.
        try check("--write-baseline", "known.txt").succeeds()
        let text = Self.unsteady.replacing("thread second { lock n { lock m { } } }", with: "")
        try Files.write(file, Array(text.utf8))
        let less = try check("--baseline", "known.txt").exits(with: 0).prints("1 known failure")
        #expect(less.errors == "threadlab: known.txt lists a failure of x.lab that does not occur any more: deadlock\n")
    }

    @Test func `a baseline of before allows any failure of what it lists, and says so`() throws {
        let directory = try CheckTests.mixed()
        let list = try directory.write("known.txt", Array("bad.lab\nbad.lab: race\nwrong.lab: wrong\n".utf8))
        let note =
            "threadlab: known.txt lists 1 scenario without a failure, and so allows any failure of it; "
            + "--write-baseline writes the list with the failures\n"
        let old = try Self.check(directory, "--baseline", "known.txt", "--controlled").run().exits(with: 0)
            .prints("2 known failures")
        #expect(old.errors == note)
        try Self.check(directory, "--write-baseline", "known.txt", "--controlled").run().succeeds()
        try Self.check(directory, "--baseline", "known.txt", "--controlled").run().succeeds()
        #expect(Files.text(list)?.hasSuffix("\nbad.lab: deadlock\nwrong.lab: wrong\n") == true)
    }

    @Test func `a baseline is valid in any folder from which its files are checked`() throws {
        let directory = try CheckTests.mixed()
        try directory.directory("sub")
        _ = try directory.write("sub/bad.lab", Array(try #require(Files.read(directory.file("bad.lab")))))
        func check(_ path: String, in folder: String, _ options: String...) throws -> Ended {
            try Invocation(program: Programs.threadlab, arguments: ["check", path, "--controlled"] + options)
                .inDirectory(directory.file(folder)).run()
        }
        try check("sub", in: ".", "--write-baseline", "known.txt").succeeds()
        #expect(Files.text(directory.file("known.txt"))?.hasSuffix("\nsub/bad.lab: deadlock\n") == true)
        try check(".", in: "sub", "--baseline", "../known.txt").succeeds().prints("known ").prints("  bad.lab")
        try check(directory.file("sub"), in: "sub", "--baseline", "../known.txt").succeeds().prints("1 known failure")
        // As it was written, wherever the list is.
        try check("sub", in: ".", "--write-baseline", "sub/known.txt").succeeds()
        try check("sub", in: ".", "--baseline", "sub/known.txt").succeeds().prints("1 known failure")
    }

    @Test func `what a baseline lists without reason fails`() throws {
        let directory = try CheckTests.folder(["a.lab": "deadlock", "b.lab": "deadlock"])
        _ = try directory.write("known.txt", Array("a.lab\ngone/x.lab\n".utf8))
        try Self.check(directory, "--baseline", "known.txt").run().exits(with: 1)
            .prints("listed in known.txt, but passes: remove it there\n")
            .prints("listed in known.txt, but is not among the scenarios checked: remove it there\n")
            .prints("\n1 passed, 2 failed (")
        // Names that a filter leaves out are not judged.
        try Self.check(directory, "--baseline", "known.txt", "--filter", "b").run().succeeds()
        let tap = try Self.check(directory, "--baseline", "known.txt", "--tap").run().exits(with: 1)
        #expect(tap.lines.contains("1..3") && tap.lines.contains("not ok 3 - gone/x.lab"))
    }

    // MARK: - Proofs

    @Test func `a scenario that is not proved fails if a proof is required`() throws {
        let directory = try CheckTests.folder(["a.lab": "deadlock"])
        try Self.check(directory, "--require-proof").run().succeeds()
        try Self.check(directory, "--require-proof", "--runs", "2").run().exits(with: 1)
            .prints("found: no proof (execution limit reached)\n").prints("  Raise --runs, or leave it out.\n")
            .prints("    threadlab explore ./a.lab\n")
        try Self.check(directory, "--require-proof", "--runs", "2", "--format", "json").run().exits(with: 1)
            .prints(#"{"kind":"not-proved","limit":"runs","message":"#)
        try Self.check(directory, "--require-proof", "--native").run().exits(with: 2).printsNothing()
    }
}
