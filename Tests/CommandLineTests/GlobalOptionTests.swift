import Testing

/// Options that may be given before any command.
@Suite struct GlobalOptionTests {
    @Test func `color and pager options may be given before the command`() throws {
        let plain = try threadlab("run", "deadlock", "--seed", "1").run().exits(with: 0).output
        #expect(try threadlab("--no-pager", "run", "deadlock", "--seed", "1").run().exits(with: 0).output == plain)
        #expect(try threadlab("run", "deadlock", "--seed", "1", "--no-pager").run().exits(with: 0).output == plain)
        for words in [["--color", "always"], ["--color=always"], ["--color", "never", "--color", "always"]] {
            let all = words + ["run", "deadlock", "--seed", "1"]
            let run = try Invocation(program: Programs.threadlab, arguments: all).run().exits(with: 0)
            run.prints("\u{1B}[")
        }
    }

    @Test func `the command's own option counts, because it is the last`() throws {
        try threadlab("--color", "always", "run", "deadlock", "--seed", "1", "--color", "never").run().exits(with: 0)
            .doesNotPrint("\u{1B}[")
    }

    @Test(arguments: [["run", "deadlock"], ["show"], []]) func `a wrong color is refused, whatever the command`(
        words: [String]
    ) throws {
        try Invocation(program: Programs.threadlab, arguments: ["--color", "purple"] + words).run().exits(with: 2)
            .printsNothing().complains("--color purple: must be auto, always or never")
    }

    @Test func `a command without colors takes the option too`() throws {
        let list = try threadlab("show").run().succeeds().output
        for words in [["show", "--color", "never"], ["show", "--color=always"]] {
            let run = try Invocation(program: Programs.threadlab, arguments: words).run().succeeds()
            #expect(run.output == list)
        }
    }

    @Test func `an option may be repeated`() throws {
        try threadlab("--no-pager", "--no-pager", "show", "--no-pager", "--no-pager").run().succeeds()
    }

    @Test func `after two dashes it is an ordinary word`() throws {
        try threadlab("run", "--", "--no-pager").run().exits(with: 2).complainsInOneLine(about: "--no-pager")
    }

    @Test(arguments: [
        ["--no-pager", "run", "mishap", "--seed", "3"], ["--color", "never", "run", "mishap", "--seed", "3"],
        ["run", "mishap", "--timeouts", "any"], ["run", "mishap", "--max-steps", "500"],
        ["run", "mishap", "--waiters", "any"], ["run", "mishap", "--spurious", "0"],
    ])
    func `a controlled run has the same order of sets in every process, however it is asked for`(words: [String]) throws
    {
        let all = words + ["--variant", "hash-order", "--format", "json"]
        let outputs = try (1...3).map { _ in
            try Invocation(program: Programs.plugin, arguments: all).run().succeeds().output
        }
        #expect(Set(outputs).count == 1)
    }
}
