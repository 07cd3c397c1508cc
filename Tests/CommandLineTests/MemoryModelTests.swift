import Support
import Testing

/// `--model`, and expectations that name a memory model.
@Suite struct MemoryModelTests {
    private static let storeBuffering = """
        scenario "store buffering"
        atomic x = 0, y = 0
        shared r0 = 0, r1 = 0
        thread left { x.store(1, relaxed); r0 = y.load(relaxed) }
        thread right { y.store(1, relaxed); r1 = x.load(relaxed) }

        """

    private func file(_ claims: String, in directory: borrowing TemporaryDirectory) throws -> String {
        try directory.write("sb.lab", Array((Self.storeBuffering + claims).utf8))
    }

    @Test func `what only a weaker model allows is found, and its schedule replays`() throws {
        let directory = try TemporaryDirectory()
        let file = try file("expect never r0 == 0 && r1 == 0\n", in: directory)
        try threadlab("explore", file, "--model", "sc").wide.run().succeeds().prints(
            "proved: none of 3 orders fails, under sc.")
        for model in ["tso", "rc11"] {
            let found = try threadlab("explore", file, "--model", model).wide.run().exits(with: 1)
            found.prints("r0 is 0 and r1 is 0")
            let replay = try #require(found.output.firstMatch(of: /Replay: threadlab (replay .*)/)).output.1
            #expect(replay.contains(" --model \(model) --schedule "))
            let words = replay.split(separator: " ").map(String.init)
            try threadlab(words[0], file, "--model", model, "--schedule", words[words.count - 1]).wide.run()
                .exits(with: 1).prints("r0 is 0 and r1 is 0")
        }
    }

    @Test func `check searches a program under each model that its claims name`() throws {
        let directory = try TemporaryDirectory()
        let claims = """
            expect under sc never r0 == 0 && r1 == 0
            expect under tso sometimes r0 == 0 && r1 == 0
            expect under rc11 never r0 == 0 && r1 == 0
            """
        let file = try file(claims + "\n", in: directory)
        let checked = try threadlab("check", file, "--controlled").wide.run().exits(with: 1)
        checked.prints("sb.lab under sc   proved: none of 3 orders fails, under sc").prints("sb.lab under tso")
            .prints("FAIL sb.lab\n").prints("2 passed, 1 failed").prints(" --model rc11 ")
    }

    @Test func `a search under sc confirms that a failure needs a weaker model`() throws {
        let directory = try TemporaryDirectory()
        let file = try file("expect never r0 == 0 && r1 == 0\n", in: directory)
        let remark = "No sequentially consistent execution does this: all were searched. 'explain TL202' says"
        try threadlab("explore", file, "--model", "tso").wide.run().exits(with: 1).prints(remark)
        try threadlab("explore", file, "--model", "tso", "--format", "json").run().exits(with: 1)
            .prints("\"needsWeakMemory\":true")
        try threadlab("check", file, "--controlled", "--model", "rc11").wide.run().exits(with: 1).prints(remark)
        let other = try directory.write(
            "other.lab", Array((Self.storeBuffering + "expect never r0 == 1 && r1 == 1\n").utf8))
        try threadlab("explore", other, "--model", "tso").wide.run().exits(with: 1)
            .prints("A sequentially consistent execution does this, too: the memory model is not the cause.")
    }

    @Test func `a person who plays chooses which write is read, and where a write goes`() throws {
        let directory = try TemporaryDirectory()
        let file = try file("expect completes\n", in: directory)
        func play(_ lines: String) throws -> Ended {
            let input = try directory.write("in", Array(lines.utf8))
            let words = ["play", file, "--model", "tso", "--plain"]
            return try Invocation(program: Programs.threadlab, arguments: words).reading(from: input).run()
        }
        try play("1\n1\n1\n2\n2\n2\n1\n").exits(with: 0)
            .prints(
                """
                right's step can go 2 ways.
                  0: it reads the newest value of x, 1, which left wrote at line 4.
                  1: it reads an older value of x, 0, the initial one.
                Type 0 or 1.
                Step 6: right: reads an older value of x: 0 (relaxed), although left wrote 1 at line 4 (line 5)
                """)
    }

    /// A program with something that has no search by graphs, and how that is named.
    static let withoutGraphs = [
        ("'c' (line 4)", "mutex m\ncondition c with m\nthread t { x.add(1, relaxed); lock m { c.signal() } }\n"),
        (
            "the list 'log' (line 3)",
            "shared log = []\nthread t { x.add(1, relaxed); log.append(1); assert log.count == 1 }\n"
        ),
        ("'detach' (line 4)", "thread c {}\nthread t { x.add(1, relaxed); spawn c; detach c }\n"),
        ("an invariant (line 4)", "thread t { x.add(1, relaxed) }\ninvariant x < 2\n"),
        ("'eventually' (line 4)", "thread t { x.add(1, relaxed) }\nexpect eventually x == 1\n"),
        ("'possible' (line 4)", "thread t { x.add(1, relaxed) }\nexpect possible x == 1\n"),
        ("'progress' (line 3)", "thread t { while true { x.store(1, relaxed); fence(seqcst); progress } }\n"),
        ("'sleep' (line 3)", "thread t { x.add(1, relaxed); sleep 1ms }\n"),
        ("a time limit (line 4)", "mutex m\nthread t { x.add(1, relaxed); if m.lock(for: 1ms) { m.unlock() } }\n"),
    ]

    @Test(arguments: withoutGraphs)
    func `each part that has no search by graphs is named, with what is done instead`(
        _ part: (name: String, text: String)
    ) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "x.lab", Array(("scenario \"x\"\natomic x = 0\n" + part.text + "finally { assert x.load() >= 0 }\n").utf8))
        for model in ["tso", "rc11"] {
            try threadlab("explore", file, "--model", model, "--strategy", "graphs").wide.run().exits(with: 2)
                .printsNothing().complains(
                    "--strategy graphs cannot search \(part.name); without --strategy, executions are tried one by one and at random"
                )
        }
        // Tried one by one: what never ends is not.
        if part.name.hasPrefix("'progress'") {
            for model in ["tso", "rc11"] {
                try threadlab("explore", file, "--model", model, "--runs", "20", "--max-steps", "200").wide.run()
                    .exits(with: 1).prints("undecided: the only execution did not end within 200 steps.")
                    .prints("No proof: \(part.name) has no search by graphs yet")
            }
        }
    }

    @Test func `a proof under rc11 in which time passed says what it assumes of time, too`() throws {
        let directory = try TemporaryDirectory()
        let text =
            "scenario \"x\"\natomic x = 0\nthread t[2] { sleep 1ms; x.add(1, relaxed) }\nfinally { assert x.load() == 2 }\n"
        let file = try directory.write("x.lab", Array(text.utf8))
        try threadlab("explore", file, "--model", "rc11").wide.run().succeeds().prints("under rc11")
            .prints("Assumes that no read depends").prints("Assumes time advances only when")
    }

    @Test func `what has no search by graphs is named; a small program is proved by its executions one by one`() throws
    {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "s"
            mutex m
            condition c with m
            atomic x = 0
            thread t[2] { x.add(1, relaxed); lock m { c.broadcast() } }

            """
        let small = try directory.write("s.lab", Array(text.utf8))
        for model in ["tso", "rc11"] {
            try threadlab("explore", small, "--model", model).wide.run().succeeds().prints(
                " interleavings fails, under \(model).")
        }
        let many = text.replacing("t[2]", with: "t[9]")
        let large = try directory.write("l.lab", Array(many.utf8))
        try threadlab("explore", large, "--model", "rc11", "--runs", "500").wide.run().succeeds()
            .prints("No proof: 'c' (line 3) has no search by graphs yet").prints("not a proof")
        try threadlab("explore", "deadlock", "--model", "tso", "--runs", "100").wide.run()
            .prints("Swift code has no search by graphs yet")
        try threadlab("explore", large, "--model", "rc11", "--strategy", "graphs").wide.run().exits(with: 2)
            .printsNothing()
            .complains(
                "--strategy graphs cannot search 'c' (line 3); without --strategy, executions are tried one by one and at random"
            )
        for model in ["tso", "rc11"] {
            try threadlab("explore", small, "--model", model, "--strategy", "states").wide.run().exits(with: 2)
                .printsNothing()
                .complains(
                    "--strategy states searches under --model sc: under \(model) an execution is a graph that grows with each step, so no state comes twice; graphs searches each execution once"
                )
        }
        try threadlab("export", small, "s.dot", "--as", "states", "--model", "tso").wide.run().exits(with: 2)
        try threadlab("explore", small, "--strategy", "graphs").wide.run().exits(with: 2).printsNothing()
            .complains("--strategy graphs searches under --model tso and rc11: under sc, dpor does the same")
    }

    @Test func `outcomes have a column for each model, and a row for what only another model allows`() throws {
        let directory = try TemporaryDirectory()
        let file = try file("expect never r0 == 0 && r1 == 0\n", in: directory)
        try threadlab("explore", file, "--outcomes").wide.run().exits(with: 1)
            .prints("count  share  outcome    memory             sc   tso  rc11  schedule")
            .prints("    1  25.0%  completed  x=1 y=1 r0=0 r1=1  yes  yes  yes   1x4,2x3=0,2,0x4\n")
            .prints("    1  25.0%  claim      x=1 y=1 r0=0 r1=0  no   yes  yes   1x4,2x3=1,2,0x3\n")
            .prints("search: 1 finding. All 4 graphs were tried, under rc11: 4 executions, ")
        let table = try threadlab("explore", file, "--model", "sc", "--outcomes").wide.run().succeeds()
        table.prints("count  share  outcome    memory             sc   tso  rc11  schedule")
            .prints("    1  33.3%  completed  x=1 y=1 r0=0 r1=1  yes  yes  yes   1")
            .prints("    0   0.0%  claim      x=1 y=1 r0=0 r1=0  no   yes  yes   --model tso 1")
        try threadlab("explore", file, "--outcomes", "--model", "tso", "--format", "json").wide.run().exits(with: 1)
            .prints(#""memory":{"x":1,"y":1,"r0":0,"r1":0},"models":{"sc":false,"tso":true,"rc11":true},"#)
        // Where all orders are seqcst, there is nothing to compare.
        let same = try threadlab("explore", "store-buffering-fixed", "--outcomes").wide.run().succeeds()
        #expect(!same.output.contains("rc11"))
    }

    @Test func `show suggests a memory model for a program whose orders differ in it`() throws {
        let shown = try threadlab("show", "store-buffering").run().succeeds()
        shown.prints("explore store-buffering --model rc11\n").prints("litmus store-buffering\n")
        let fixed = try threadlab("show", "store-buffering-fixed").run().succeeds()
        #expect(!fixed.output.contains("--model"))
    }

    /// The theorem DRF-SC: what all executions under sc show is what there is, unless some has a race.
    @Test func `a program whose orders are all seqcst is searched under sc, whatever it uses`() throws {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "s"
            atomic x = 0, y = 0
            semaphore s = 0
            shared found = 0, seen = 0
            thread t { x.store(1); found = y.load(); s.signal() }
            thread u { y.store(1); seen = x.load(); s.wait() }
            expect never found == 0 && seen == 0

            """
        let file = try directory.write("s.lab", Array(text.utf8))
        for model in ["tso", "rc11"] {
            try threadlab("explore", file, "--model", model).wide.run().succeeds()
                .prints("proved: none of 3 orders fails, under any memory model.")
                .prints(
                    "  All orders are seqcst and no execution has a data race, so every memory model allows what was searched under sc "
                        + "(DRF-SC).\n")
            try threadlab("explore", file, "--model", model, "--strategy", "graphs").wide.run().exits(with: 2)
                .printsNothing()
                .complains(
                    "--strategy graphs searches programs with orders weaker than seqcst: of this one, dpor searches all "
                        + "executions under \(model)")
        }
    }

    @Test func `where races are allowed, a program is searched by graphs though its orders are all seqcst`() throws {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "s"
            atomic x = 0
            shared v = 0
            thread t { v = 1; x.store(1) }
            thread u { let seen = x.load(); v = 2 }
            expect race

            """
        let file = try directory.write("s.lab", Array(text.utf8))
        try threadlab("explore", file, "--model", "rc11", "--keep-going").wide.run().prints(" graphs")
        // A race that must not be is found under sc as well.
        let forbidden = try directory.write("r.lab", Array(text.replacing("expect race\n", with: "").utf8))
        let found = try threadlab("explore", forbidden, "--model", "rc11").wide.run().exits(with: 1)
        found.prints("race")
        #expect(found.output.contains("--model rc11"))
    }

    @Test func `what a racing read returns is not defined, so a claim about it may hold or not`() throws {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "s"
            atomic flag = 0
            shared data = 0, read = 0
            thread writer { data = 1; flag.store(1, relaxed) }
            thread reader { if flag.load(relaxed) == 1 { read = data } }
            expect never read == 0

            """
        let file = try directory.write("s.lab", Array(text.utf8))
        try threadlab("explore", file, "--model", "rc11", "--keep-going").wide.run().exits(with: 1).prints("race:")
            .prints("claim:")
    }

    @Test func `a loop without an end is not proved to be anything`() throws {
        let directory = try TemporaryDirectory()
        let text = "scenario \"s\"\natomic x = 0\nthread t { while x.load() >= 0 { x.add(1, relaxed) } }\n"
        let file = try directory.write("s.lab", Array(text.utf8))
        try threadlab("explore", file, "--model", "rc11", "--runs", "20").wide.run().exits(with: 1)
            .prints("undecided: no execution ended.\n")
            .prints("  The search of graphs was abandoned: an execution is too long.\n")
    }

    @Test func `a search by states sees the rows of outcomes of a program with plain variables`() throws {
        try threadlab("explore", "store-buffering", "--strategy", "states").wide.run().succeeds()
            .prints("As expected: 'store buffering' completes.")
            .prints(
                "No proof under rc11, which its memory orders ask for: 'states' searches sequentially consistent executions alone."
            )
    }
}
