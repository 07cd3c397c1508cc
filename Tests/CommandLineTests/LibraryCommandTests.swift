import Support
import Testing

/// The programs, pages and sources that are part of the tool, as commands show them. The tests run far from the package's
/// folder: nothing is read from there.
@Suite struct LibraryCommandTests {
    private func away(_ words: String...) -> Invocation {
        Invocation(program: Programs.threadlab, arguments: words).inDirectory("/")
    }

    private static func program(_ path: String) throws -> String {
        try #require(Repository.text(of: "scenarios/\(path).lab"))
    }

    @Test func `show has the programs by chapter, and those of one chapter`() throws {
        let all = try away("show", "--long").wide.run().succeeds()
        all.prints("\nbasics: First steps").prints("\n  lost-update ").prints("lost-update-fixed, lost-update-atomic)")
        all.prints("\nlock-free: ").doesNotPrint("*")
        try away("show", "semaphores").run().succeeds().prints("\n  rendezvous ").doesNotPrint("lost-update")
        try away("show", "basic").run().exits(with: 2).complains(
            "no scenario or chapter is called 'basic': did you mean 'basics'?")
        let json = try away("show", "--format", "json").run().succeeds()
        #expect(isJSON(json.output))
        json.prints("\"source\":\"lost-update\"")
    }

    @Test(arguments: ["lost-update", "basics/lost-update"]) func `a program runs by its name`(name: String) throws {
        let run = try away("run", name, "--seed", "3").wide.run().exits(with: 0)
        run.prints("lost-update  controlled, seed 3\n")
        run.prints("lost-update:15  finally { assert count == 2 }").prints("threadlab replay lost-update --schedule ")
        try away("explore", name).run().exits(with: 0).prints("assertion: ")
    }

    @Test func `a trace of a program is replayed, with its source`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        try away("run", "lost-update", "--seed", "3", "--save", file).run().exits(with: 0)
        try away("replay", file, "--format", "lanes", "--code").run().exits(with: 0).prints("let seen = count")
        try away("trace", file, "--format", "lanes", "--code").run().exits(with: 0).prints("let seen = count")
    }

    @Test func `the lines of a Swift scenario are shown wherever the tool runs`() throws {
        try away("run", "deadlock", "--seed", "1", "--format", "lanes", "--code").wide.run().exits(with: 0)
            .prints("if isNested { try other.withLock {} }")
    }

    @Test func `show prints a program's text as it is`() throws {
        let text = try Self.program("basics/lost-update")
        #expect(try away("show", "lost-update", "--code").run().succeeds().output == text)
        try away("show", "lost-update").run().succeeds().prints("Fixed by: lost-update-fixed, ")
            .prints("'Guide' means Threading Programming Guide (Apple, 2014-07-15)")
    }

    @Test func `show marks the lines of the Swift code that name a variant`() throws {
        let whole = try #require(Repository.text(of: "Sources/Scenarios/Synchronization/Deadlock.swift"))
        #expect(try away("show", "deadlock", "--code").run().succeeds().output == whole)
        let ring = try away("show", "deadlock", "--code", "ring").run().succeeds()
        let lines = whole.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let shown = ring.output.split(separator: "\n")
        try #require(shown.count == lines.count)
        for (number, (line, shown)) in zip(lines, shown).enumerated() {
            #expect(
                shown.dropFirst(2).drop { $0 == " " } == (line.isEmpty ? "\(number + 1)" : "\(number + 1)  \(line)"))
        }
        let marked = shown.filter { $0.hasPrefix("> ") }
        #expect(marked.count == 6)
        #expect(marked.contains { $0.hasSuffix("  case ring") })
        #expect(marked.contains { $0.contains("case .ring: try cycle(of: \"thread\"") })
    }

    @Test(arguments: Extent.part(of: GoldenTraceTests.all, every: 4))
    func `every variant is marked where it is declared and where it matters`(of golden: GoldenTraceTests.Golden) throws
    {
        let shown = try away("show", golden.scenario, "--code", golden.variant).run().succeeds()
        let marked = shown.output.split(separator: "\n").filter { $0.hasPrefix("> ") }
        #expect(marked.contains { $0.contains("  case ") })
        #expect(marked.count > 1)
    }

    @Test func `a variant needs the option, a scenario that has it, and a scenario with variants`() throws {
        try away("show", "deadlock", "ring").run().exits(with: 2).complains("VARIANT ring: it needs --code")
        try away("show", "deadlock", "--code", "rin").run().exits(with: 2)
            .complains("deadlock has no variant 'rin': did you mean 'ring'?")
        try away("show", "lost-update", "--code", "x").run().exits(with: 2)
            .complains("VARIANT x: lost-update is a .lab program, without variants")
    }

    @Test func `new copies a program`() throws {
        let directory = try TemporaryDirectory()
        try threadlab("new", "mine", "--from", "lost-update").inDirectory(directory.path).run().succeeds()
        #expect(try Files.text(directory.file("mine.lab")) == Self.program("basics/lost-update"))
        try threadlab("new", "other", "--from", "mine.lab").inDirectory(directory.path).run().succeeds()
        #expect(directory.names == ["mine.lab", "other.lab"])
        try away("new", "x", "--from", "deadlock").run().exits(with: 2).complains(
            "--from deadlock is a Swift scenario: 'threadlab show deadlock --code' prints it")
        try away("new", "x", "--from", "lost-updat").run().exits(with: 2).complains(
            "unknown scenario 'lost-updat': did you mean 'lost-update'?")
    }

    @Test func `a file that is missing is not taken for the program of its name`() throws {
        try away("run", "lost-update.lab").run().exits(with: 2).complains(
            "cannot read lost-update.lab: No such file or directory; "
                + "the program that comes with threadlab is called 'lost-update'")
    }

    @Test func `check takes programs, chapters and scenarios by name`() throws {
        let words = ["--controlled", "--time", "1h"]
        func check(_ names: String...) throws -> Ended {
            try Invocation(program: Programs.threadlab, arguments: ["check"] + names + words).inDirectory("/").run()
        }
        try check("lost-update", "basics/lost-update-fixed").succeeds().prints("lost-update-fixed ")
            .prints("2 passed")
        let names = try away("check", "deadlock", "--list").run().succeeds()
        names.prints("deadlock/ring\n").prints("\nopposite-orders\n").prints("\nlocked-twice-fixed\n")
        try check("lost-updat").exits(with: 2).prints("no such file or folder; did you mean 'lost-update'?")
    }

    @Test func `a folder counts before a chapter of its name`() throws {
        let directory = try TemporaryDirectory()
        try directory.directory("basics")
        _ = try directory.write("basics/mine.lab", Array(Self.program("basics/lost-update").utf8))
        let names = try threadlab("check", "basics", "--list").inDirectory(directory.path).run().succeeds()
        #expect(names.output == "basics/mine.lab\n")
    }

    // MARK: - Standard input

    private func reading(_ text: String, _ words: String...) throws -> Ended {
        let directory = try TemporaryDirectory()
        let file = try directory.write("in", Array(text.utf8))
        return try Invocation(program: Programs.threadlab, arguments: words).inDirectory("/").wide.reading(from: file)
            .run()
    }

    @Test func `a program can come from standard input`() throws {
        let text = try Self.program("basics/lost-update")
        try reading(text, "run", "-", "--seed", "3").exits(with: 0)
            .prints("    -:15  finally { assert count == 2 }").prints("threadlab replay - --schedule ")
        try reading(text, "replay", "-", "--schedule", "1,2x2,1x2,2,0x3").exits(with: 0).prints("assertion: ")
        try reading(text, "explore", "-").exits(with: 0).prints("assertion: ")
        try reading(text, "show", "-").succeeds().prints("lost update: -\n")
        #expect(try reading(text, "show", "-", "--code").succeeds().output == text)
        try reading("scenario", "run", "-").exits(with: 2).printsNothing()
        try reading(text, "check", "-", "--controlled").succeeds().prints("1 passed")
    }

    @Test func `a program can come from a pipe of the shell`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("x.lab", Array(try Self.program("basics/lost-update").utf8))
        let line = "\(Programs.threadlab) run <(cat \(file)) --seed 3 --format none"
        try Invocation(program: "/bin/bash", arguments: ["-c", line]).run().exits(with: 0).prints("assertion: ")
    }

    @Test func `names and failures alone come without warnings`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("x.lab", Array("scenario \"x\"\nmutex m\nthread t { yield }\n".utf8))
        let loud = try threadlab("check", file, "--controlled").run().exits(with: 0)
        #expect(loud.errors.contains("warning: mutex 'm' is never used"))
        for option in ["--list", "--quiet"] { try threadlab("check", file, "--controlled", option).run().succeeds() }
    }

    @Test func `a trace can come from standard input`() throws {
        let trace = try away("run", "lost-update", "--seed", "3", "--format", "json").run().exits(with: 0).output
        try reading(trace, "trace", "-").exits(with: 0).prints("assertion: ")
        try reading(trace, "trace", "-", "--findings").exits(with: 1).prints("TL201")
        try reading(trace, "replay", "-").exits(with: 0).isSilent().prints("assertion: ")
        for command in ["trace", "replay"] {
            try reading("", command, "-").exits(with: 2).complains("standard input is empty, not a trace")
        }
    }

    // MARK: - Pages

    @Test(arguments: [
        "language", "guide", "exploration", "proofs", "diagnosis", "semantics", "ci", "views",
        "trace-format",
    ])
    func `help shows a page of the manual, which fits the screen`(page: String) throws {
        let text = try away("help", page).with("COLUMNS", "80").run().succeeds()
        let source = try #require(Repository.text(of: "docs/\(page).md"))
        let title = try #require(source.split(separator: "\n").first).dropFirst(2)
        #expect(text.lines.first?.lowercased() == title.lowercased().replacing("`", with: "'"))
        // Code keeps its lines; a link or a path may be longer than the screen.
        let long = text.lines.filter { $0.count > 80 && !$0.hasPrefix("    ") && $0.split(separator: " ").count > 2 }
        #expect(long.isEmpty)
        text.doesNotPrint("](").doesNotPrint("**").doesNotPrint("```")
    }

    @Test(arguments: [
        ("stepping", "views", "Stepping"), ("choosing", "guide", "When to use which"), ("scale", "ci", "Many machines"),
    ]) func `help shows a part of a page by a word of its own`(word: String, page: String, heading: String) throws {
        let part = try threadlab("help", word).run().succeeds().lines
        let whole = try threadlab("help", page).run().succeeds().lines
        #expect(part.first.map(String.init) == heading.uppercased() && part.count > 20)
        #expect(part.count < whole.count)
        let last = try #require(part.last { !$0.isEmpty })
        #expect(whole.contains(last))
    }

    @Test func `the manual page passes mandoc's lint, and has every command`() throws {
        let page = try away("__man").run().succeeds().output
        for command in CommandTests.commands { #expect(page.contains("\n.Ss \(command)\n")) }
        #expect(page.contains("\n.It Fl -seed Ar N\n"))
        let directory = try TemporaryDirectory()
        let file = try directory.write("threadlab.1", Array(page.utf8))
        let lint = Invocation(program: "/usr/bin/mandoc", arguments: ["-T", "lint", file])
        try lint.run().succeeds().printsNothing()
    }
}
