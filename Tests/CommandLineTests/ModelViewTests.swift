import Support
import Testing

/// What shows, compares and teaches runs, under a weaker memory model.
@Suite struct ModelViewTests {
    private static let stale = ["--model", "rc11", "--schedule", "1x3,2x2=0,2x2=1,2,0x3"]

    private func play(_ words: [String], _ lines: String...) throws -> Ended {
        let directory = try TemporaryDirectory()
        let input = try directory.write("in", Array(lines.map { $0 + "\n" }.joined().utf8))
        return try Invocation(program: Programs.threadlab, arguments: ["play"] + words + ["--plain"])
            .reading(from: input).run()
    }

    @Test func `a suggested command names the memory model once`() throws {
        try threadlab("run", "message-passing", "--model", "rc11", "--seed", "3").wide.run().succeeds()
            .prints("Search: threadlab explore message-passing --model rc11\n")
    }

    // MARK: - Playing

    @Test func `a hint says of each way of a step whether a failure lies behind it`() throws {
        let words = ["message-passing", "--model", "rc11", "--hint-time", "1h"]
        try play(words, "1", "1", "1", "2", "hint").succeeds()
            .prints(
                "2 reader reads the newest value of flag, 1, which writer wrote at line 14: can lead to 'broken-claim' in "
            )
            .prints(" runs after it do not fail.\n")
            .prints(
                "2 reader reads an older value of flag, 0, the initial one: no failure, whatever happens after it.\n")
        try play(["message-passing-fixed", "--model", "rc11", "--hint-time", "1h"], "hint").succeeds()
            .prints("1 writer: no failure, whatever happens after it.\n")
        try play(["store-buffering", "--model", "tso", "--hint-time", "1h"], "1", "1", "1", "2", "2", "hint").succeeds()
            .prints(
                "2 right reads an older value of x, 0, the initial one: always leads to a failure, to 'broken-claim' ")
    }

    @Test func `a hint after a loop that read old values searches all that can follow`() throws {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "loop"
            atomic x = 0
            thread writer { x.store(1, relaxed) }
            thread reader { while x.load(relaxed) == 0 {}; assert x.load(relaxed) == 0 }
            expect assertion

            """
        let file = try directory.write("loop.lab", Array(text.utf8))
        // The reader has come back to where it was when the hint is asked for.
        try play([file, "--model", "rc11", "--hint-time", "1h"], "1", "1", "2", "step 2 1", "step 2 1", "hint")
            .succeeds()
            .prints("2 reader reads an older value of x, 0, the initial one: ").prints("'assertion'")
            .doesNotPrint("no failure")
    }

    @Test func `where a write goes is a question, and what a thread can do is not said as if it had one way`() throws {
        try play(["two-plus-two-writes", "--model", "rc11"], "1", "1", "1", "2", "why 2", "2", "1").succeeds()
            .prints("right can step: write y = 1 (relaxed) at line 17, or another of its 2 ways.\n")
            .prints(
                """
                right's step can go 2 ways.
                  0: it writes the newest value of y.
                  1: it goes before left's write of 2 at line 13.
                Type 0 or 1.
                Step 5: right: write y = 1 (relaxed), which goes before left's write of 2 at line 13 (line 17)
                """)
    }

    private func replay(_ words: String...) -> Invocation {
        Invocation(program: Programs.threadlab, arguments: ["replay", "message-passing"] + Self.stale + words)
    }

    // MARK: - Files for other viewers, and pictures

    @Test func `pictures and graphs of a run name its memory model`() throws {
        let directory = try TemporaryDirectory()
        let names = ["lanes.svg", "film.svg", "trace.pftrace"].map(directory.file)
        for (name, kind) in zip(names, ["lanes", "film", "perfetto"]) {
            let words = ["export", "message-passing", name, "--as", kind] + Self.stale
            try Invocation(program: Programs.threadlab, arguments: words).run().succeeds()
            #expect(try #require(Files.text(name)).contains("message-passing, memory model rc11"), "\(name)")
        }
        // The value is in the name: it is what the name is about.
        #expect(
            try #require(Files.text(names[2])).contains(
                "reads an older value of data: 0 (relaxed), although writer wrote 1 at line 13"))
        try Invocation(program: Programs.threadlab, arguments: ["export", "message-passing"] + Self.stale).run()
            .succeeds()
            .prints(#"label="message-passing, memory model rc11\nreads: from a write"#)
            .prints("o1 -> e12 [label=\"reads\" style=dashed]")
    }

    @Test func `a page of all states is refused where they are not all that can happen`() throws {
        let directory = try TemporaryDirectory()
        let page = directory.file("page.html")
        for model in ["tso", "rc11"] {
            try threadlab("export", "store-buffering", page, "--model", model).run().exits(with: 2)
                .printsNothing().complainsInOneLine(about: "a page carries the states of sequentially consistent runs")
        }
        #expect(directory.names.isEmpty)
        // Under each model it does what it does under sc.
        try threadlab("export", "store-buffering-fixed", page, "--model", "rc11").run().succeeds()
            .prints("none fails")
    }

    @Test func `a handout names the memory model, and says what a diamond is`() throws {
        let directory = try TemporaryDirectory()
        try threadlab("export", "store-buffering", directory.file("s.svg"), "--model", "tso", "--as", "handout").run()
            .succeeds()
            .prints("the end is 'broken-claim'")
        for name in ["s.svg", "s-solution.svg"] {
            let text = try #require(Files.text(directory.file(name)))
            #expect(text.contains("memory model tso") && text.contains("◇: not the newest value."), "\(name)")
        }
        try threadlab("export", "lost-update", directory.file("l.svg"), "--as", "handout").run().succeeds()
        #expect(try !#require(Files.text(directory.file("l.svg"))).contains("◇"))
    }

    // MARK: - Diagnosing and comparing

    @Test func `a diagnosis of a saved run says why the steps that led to its end are allowed`() throws {
        let directory = try TemporaryDirectory()
        let saved = directory.file("saved.trace")
        let page = directory.file("page.html")
        try replay("--format", "none", "--save", saved, "--html", page).run().succeeds()
        let diagnosis = try threadlab("trace", saved, "--findings").wide.run().exits(with: 1)
        diagnosis.prints("fault TL704: ").prints("Fix: Try a stronger order where TL202 says that nothing orders")
            .prints("note TL202: A step does not read or write the newest value").prints("release and acquire would.")
        #expect(try #require(Files.text(page)).contains(#""code":"TL202","severity":"note""#))
        try threadlab("trace", saved, "--findings", "--diagnose", "claim").wide.run().exits(with: 1).doesNotPrint(
            "TL202")
    }

    @Test func `the second run of a comparison follows the first under all of its rules, which are named`() throws {
        let directory = try TemporaryDirectory()
        let saved = directory.file("saved.trace")
        try replay("--format", "none", "--save", saved).run().succeeds()
        try threadlab("diff", saved, "message-passing").wide.run().succeeds().prints("The two runs are the same")
        try threadlab("diff", saved, "message-passing-fixed").wide.run().exits(with: 1)
            .prints("there: message-passing-fixed  controlled, memory model rc11\n")
        // With a wait that ends without a signal, which the usual rules do not allow.
        let text = """
            scenario "woken"
            mutex m
            condition c with m
            thread waiter { lock m { c.wait() } }
            thread caller { lock m { c.signal() } }
            expect deadlock

            """
        let file = try directory.write("woken.lab", Array(text.utf8))
        let spurious = directory.file("spurious.trace")
        for seed in 1...20 {
            try threadlab(
                "run", file, "--spurious", "1", "--seed", "\(seed)", "--save", spurious, "--format", "none"
            ).run()
            try threadlab("diff", spurious, file).wide.run().succeeds().prints("controlled, --spurious 1\n")
                .prints("The two runs are the same")
        }
    }
}
