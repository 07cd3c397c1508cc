import Testing

/// `-j`, `-o`, `-q` and `-v`, of the commands that have the options.
@Suite struct ShortOptionTests {
    @Test func `a short name stands for its option`() throws {
        let long = try threadlab("check", "lost-update", "--controlled", "--jobs", "1", "--quiet").run().succeeds()
        for words in [["-j", "1", "-q"], ["-j1", "-q"], ["-q", "-j", "1"]] {
            let short = try Invocation(
                program: Programs.threadlab, arguments: ["check", "lost-update", "--controlled"] + words
            ).run().succeeds()
            #expect(
                short.output.replacing(#/[0-9.]+ s/#, with: "") == long.output.replacing(#/[0-9.]+ s/#, with: ""))
        }
    }

    @Test func `it has the same errors, and is in the help`() throws {
        try threadlab("check", "lost-update", "-j", "0").run().exits(with: 2)
            .complainsInOneLine(about: "--jobs 0: must be from 1 to ")
        try threadlab("check", "lost-update", "-j").run().exits(with: 2)
            .complainsInOneLine(about: "--jobs needs a value: --jobs N")
        try threadlab("check", "lost-update", "-jx").run().exits(with: 2)
            .complainsInOneLine(about: "unknown option '-jx'")
        try threadlab("explore", "lost-update", "-q").run().exits(with: 2)
            .complainsInOneLine(about: "unknown option '-q'")
        try threadlab("help", "check").run().succeeds().prints("also -j").prints("also -q").prints("also -v")
        try threadlab("help", "work").run().succeeds().prints("also -o")
    }
}
