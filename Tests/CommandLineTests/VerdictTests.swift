import Support
import Testing

/// What a verdict is about: what was seen of the program that was written.
@Suite struct VerdictTests {
    /// No execution ends, and no state comes twice: what is counted decides how the loop goes on.
    private static let endless = """
        scenario "endless"
        atomic stop = false, polls = 0
        thread worker { while !stop.load() { if polls.add(1) < 0 { stop.store(true) } } }
        expect completes

        """

    /// Some executions end.
    private static let sometimesEndless = """
        scenario "sometimes endless"
        atomic stop = false, go = false, polls = 0
        thread worker { while !stop.load() { if polls.add(1) < 0 { stop.store(true) } } }
        thread boss { if go.load() { stop.store(true) } }
        thread starter { go.store(true) }
        expect completes

        """

    private func file(_ text: String, in directory: borrowing TemporaryDirectory) throws -> String {
        try directory.write("x.lab", Array(text.utf8))
    }

    // MARK: - Seen, or not expected

    @Test func `if no execution ends, explore says so with numbers, and the exit code is 1`() throws {
        let directory = try TemporaryDirectory()
        let file = try file(Self.endless, in: directory)
        let words = ["explore", file, "--max-steps", "1000", "--runs", "3", "--strategy", "random"]
        try Invocation(program: Programs.threadlab, arguments: words).wide.run().exits(with: 1)
            .prints("undecided: none of 3 executions ended within 1,000 steps.\n  --max-steps allows more. ")
        try Invocation(program: Programs.threadlab, arguments: words + ["--format", "json"]).run().exits(with: 1)
            .prints("\"conclusion\":\"undecided\",\"expected\":false").prints(
                "\"ended\":0,\"cutOff\":3,\"maximumSteps\":1000")
    }

    @Test(arguments: [
        ["run", "--seed", "1", "--max-steps", "500"], ["explore", "--time", "200ms"],
        ["explore", "--max-steps", "500", "--runs", "5"], ["explore", "--time", "200ms", "--strategy", "states"],
        ["explore", "--time", "200ms", "--strategy", "dpor"], ["check", "--controlled", "--time", "200ms"],
        ["check", "--controlled", "--time", "200ms", "--require-proof"],
    ]) func `every command fails a program of which no execution ends`(words: [String]) throws {
        let directory = try TemporaryDirectory()
        let file = try file(Self.endless, in: directory)
        let run = try Invocation(program: Programs.threadlab, arguments: words + [file]).wide.run().exits(with: 1)
        #expect(!run.output.contains("As expected") && !run.output.contains("pass "))
    }

    @Test func `every format of check says that nothing was seen`() throws {
        let directory = try TemporaryDirectory()
        _ = try file(Self.endless, in: directory)
        let words = [
            "check", "x.lab", "--controlled", "--time", "200ms", "--junit", "j.xml", "--sarif", "s.json", "--html",
            "pages",
        ]
        func run(_ more: String...) throws -> Ended {
            try Invocation(program: Programs.threadlab, arguments: words + more).inDirectory(directory.path).run()
                .exits(with: 1)
        }
        try run("--format", "text").prints("OPEN").prints("undecided: ").prints("1 undecided")
        try run("--format", "json").prints("\"undecided\":1").prints("\"verdict\":\"undecided\"")
            .prints("\"kind\":\"nothing-seen\"")
        try run("--tap").prints("not ok 1 - x.lab").prints("verdict: undecided")
        try run("--github").prints("::error file=x.lab").prints("undecided")
        #expect(Files.text(directory.file("j.xml"))?.contains("type=\"undecided\"") == true)
        #expect(Files.text(directory.file("s.json"))?.contains("\"ruleId\":\"undecided\"") == true)
        #expect(Files.text(directory.file("pages/index.html"))?.contains("undecided") == true)
    }

    @Test func `if some executions end, the verdict says how many did not, and is no proof`() throws {
        let directory = try TemporaryDirectory()
        let file = try file(Self.sometimesEndless, in: directory)
        let words = ["explore", file, "--max-steps", "1000", "--runs", "300"]
        try Invocation(program: Programs.threadlab, arguments: words).wide.run().exits(with: 0)
            .prints("no finding: in 101 executions, 44840 steps, the longest execution 1000: not a proof.")
            .prints(
                "\n  No proof: 44 of 101 executions did not end within 1,000 steps; --max-steps 10000 allows more.\n")
        // How many there is time for depends on the machine.
        let check = try threadlab("check", file, "--controlled", "--time", "300ms", "--require-proof").wide.run()
            .exits(with: 1)
        #expect(
            check.output.contains(/\n  not proved: [\d,]+ of [\d,]+ executions? did not end within 100,000 steps\n/)
                || check.output.contains(/undecided: (?:none of \d+ executions|the only execution|no execution)/),
            "\(check.output)")
    }

    @Test func `if all are cut off, more steps are allowed, and what ends after a million steps is seen`() throws {
        let directory = try TemporaryDirectory()
        let file = try file(
            """
            scenario "long"
            atomic n = 0
            thread t { for i in 0..<150000 { n.add(i) } }
            expect completes

            """, in: directory)
        try threadlab("explore", file, "--time", "60s").wide.run().exits(with: 0)
            .prints("proved: the only order passes, under any memory model.").prints("the longest execution 150004.\n")
            .prints("As expected: 'long' completes.\n")
    }

    // MARK: - Memory models

    private static let storeBuffering = """
        scenario "store buffering"
        atomic x = 0, y = 0
        shared r0 = 0, r1 = 0
        thread left { x.store(1, relaxed); r0 = y.load(relaxed) }
        thread right { y.store(1, relaxed); r1 = x.load(relaxed) }
        expect never r0 == 0 && r1 == 0

        """

    @Test func `weaker orders are searched under rc11 by themselves, by explore, check and run alike`() throws {
        let directory = try TemporaryDirectory()
        let file = try file(Self.storeBuffering, in: directory)
        try threadlab("explore", file).wide.run().exits(with: 1).prints("r0 is 0 and r1 is 0").prints(" --model rc11 ")
            .doesNotPrint("As expected: ")
        try threadlab("check", file, "--controlled").wide.run().exits(with: 1).prints(" --model rc11 ")
        try threadlab("run", file, "--seed", "1", "--format", "lanes").wide.run().prints("memory model rc11")
        try threadlab("explore", file, "--model", "sc").wide.run().exits(with: 0)
            .prints("proved: none of 3 orders fails, under sc.")
    }

    @Test func `what has seqcst orders alone is proved under any memory model`() throws {
        let directory = try TemporaryDirectory()
        let text = Self.storeBuffering.replacing(", relaxed", with: "").replacing("load(relaxed)", with: "load()")
        let file = try file(text, in: directory)
        for command in ["explore", "check"] {
            try threadlab(command, file).wide.run().exits(with: 0)
                .prints("proved: none of 3 orders fails, under any memory model")
        }
    }

    // MARK: - Spurious wake-ups

    private static let waiting = """
        scenario "waiting"
        mutex m
        condition ready with m
        shared isReady = false
        thread waiter { lock m { while !isReady { ready.wait() }; assert isReady } }
        thread signaler { lock m { isReady = true; ready.signal() } }
        expect completes

        """

    @Test func `an if around a wait is found by plain commands, and a while is proved with a spurious wake-up`() throws
    {
        let directory = try TemporaryDirectory()
        let loop = try file(Self.waiting, in: directory)
        let once = try directory.write(
            "once.lab", Array(Self.waiting.replacing("while !isReady", with: "if !isReady").utf8))
        for command in ["explore", "check"] {
            try threadlab(command, once).wide.run().exits(with: 1)
                .prints("An assertion failed: 'isReady' does not hold: isReady is false\n")
                .prints("It needs a wait that ends without a signal, as POSIX allows: what a thread waits for must be ")
                .prints("threadlab replay \(once) --spurious 1 --schedule 1x7\n")
            try threadlab(command, once, "--spurious", "0").wide.run().exits(with: 0)
                .prints("proved: none of 2 orders fails, without spurious wake-ups, under any memory model")
            try threadlab(command, loop).wide.run().exits(with: 0).prints(
                "proved: none of 2 orders fails, nor any of 4 with a spurious wake-up, under any memory model")
        }
    }
}
