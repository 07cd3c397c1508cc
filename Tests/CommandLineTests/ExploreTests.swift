import Support
import Testing

/// `threadlab explore`: its output and behavior.
@Suite struct ExploreTests {
    /// The replay command of a report, as words.
    private func replay(_ output: String) throws -> [String] {
        let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("  Replay: ") })
        return line.dropFirst("  Replay: ".count).split(separator: " ").dropFirst().map(String.init)
    }

    // MARK: - The three ends

    @Test func `a finding comes with its story, its schedule as lanes, and the command that replays it`() throws {
        let search = try threadlab("explore", "deadlock").wide.run().succeeds()
            .prints("deadlock: first and second wait for each other").prints("blocked forever")
            .prints("As expected: 'opposite-orders' may end in deadlock.").prints("Found in execution 1")
            .prints("the minimum").prints("search: 1 finding in 1 execution")
        let run = try Invocation(program: Programs.threadlab, arguments: replay(search.output)).run().succeeds()
        #expect(run.output.contains("deadlock: first and second wait for each other"))
    }

    @Test func `a program without findings is proved`() throws {
        try threadlab("explore", "deadlock", "--variant", "ordered").wide.run().succeeds()
            .prints("proved: none of 2 orders fails, under any memory model. All were run: 2 executions")
            .prints("As expected: 'ordered' completes.")
    }

    @Test func `what was not seen is no proof`() throws {
        // Without --spurious there is a second search, with a wake-up, and each has as many executions as it may.
        for (options, count, new) in [("--spurious 0", 200, 3), ("--spurious 1", 200, 7), ("", 400, 3)] {
            let words =
                ["explore", "producer-consumer", "--strategy", "random", "--runs", "200"]
                + options.split(separator: " ").map(String.init)
            try Invocation(program: Programs.threadlab, arguments: words).wide.run().succeeds()
                .prints("no finding: in \(count) executions, ")
                .prints(": not a proof. Of random executions, about \(new)% are still new.\n")
                .prints("As expected: 'conditions' completes.\n").doesNotPrint("proved")
        }
    }

    @Test func `a finding that is expected and not found is reported`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.lab")
        try Files.write(file, Array(Self.oppositeOrders.utf8))
        try threadlab("explore", file, "--preemptions", "0").wide.run().exits(with: 1)
            .prints("no finding: in ").prints("executions beyond the bound were not explored")
            .prints("Not as expected: some execution should end in deadlock, but none did.")
    }

    @Test func `a finding that is not expected is reported`() throws {
        try plugin("explore", "trouble", "--variant", "misuse").wide.run().exits(with: 1)
            .prints("Not as expected: it should complete.")
    }

    @Test func `what is only allowed does not end the search`() throws {
        try threadlab(
            "explore", "deadlock", "--variant", "try-lock-jitter", "--strategy", "dpor", "--runs", "300"
        ).wide.run().succeeds().prints("livelock: ").prints("no other finding: in 300 executions")
    }

    @Test func `warnings in executions that ended well are reported once each, with a run that shows them`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("x.lab", Array(Self.orders.utf8))
        let search = try threadlab("explore", file).wide.run().succeeds()
            .prints("proved: ").prints("\nwarning TL103: s and t take a and b in opposite orders")
            .prints("random executions that completed.\n").prints("  More: threadlab explain TL103")
        #expect(search.output.split(separator: "TL103: ").count == 2)
        let commands = search.output.split(separator: "\n").filter { $0.hasPrefix("  Replay: ") }
        try Invocation(program: Programs.threadlab, arguments: replay(String(commands[0]))).run().succeeds()
            .prints("completed: ").prints("warning TL103")
        try threadlab("explore", "deadlock", "--variant", "ordered", "--pause", "0").run().succeeds()
            .doesNotPrint("warning")
        try threadlab("explore", "deadlock", "--pause", "0", "--runs", "2", "--format", "json").run().succeeds()
            .prints(",\"random\":{\"executions\":2,\"endedWell\":").printsJSONLines()
    }

    @Test func `a deadlock that is shown says more than that its locks are taken in different orders`() throws {
        try threadlab("explore", "deadlock", "--pause", "0").wide.run().succeeds()
            .prints("deadlock: first and second wait for each other").doesNotPrint("TL103")
    }

    private static let orders =
        "scenario \"x\"\nmutex a, b\nthread s { lock a { lock b {} } }\nthread t { sleep 1ms; lock b { lock a {} } }\n"

    @Test func `locks in different orders are found where they are expected`() throws {
        let directory = try TemporaryDirectory()
        let orders = Self.orders
        let file = try directory.write("x.lab", Array((orders + "expect lock-order\n").utf8))
        let search = try threadlab("explore", file).wide.run().succeeds()
            .prints("lock-order: s and t take a and b in opposite orders").prints("As expected: ")
            .prints("Found in random execution 1, ").prints(
                "search: 1 finding. The only order was tried with lazy time, under any memory model: "
            )
            .doesNotPrint("warning")
        try Invocation(program: Programs.threadlab, arguments: replay(search.output)).run().succeeds()
            .prints("lock-order: ")
        let silent = try directory.write("y.lab", Array(orders.utf8))
        try threadlab("explore", silent).wide.run().succeeds().prints("proved: ").prints("warning TL103: ")
    }

    @Test func `a promised warning must be seen, and the report says how often`() throws {
        let directory = try TemporaryDirectory()
        let shared = "scenario \"x\"\nmutex m\nthread t[2] { lock m {} }\n"
        let file = try directory.write("x.lab", Array((shared + "expect warning contention\n").utf8))
        let search = try threadlab("explore", file).wide.run().succeeds()
            .prints("proved: ").prints("Promised: warning contention, seen in ").prints("As expected: 'x' completes, ")
        let seed = try #require(search.output.firstMatch(of: /first with seed (\d+)\./)?.output.1)
        try threadlab("run", file, "--seed", String(seed)).wide.run().succeeds()
            .prints("note TL406").doesNotPrint("did not show")
        let other = try directory.write("y.lab", Array((shared + "expect warning starvation\n").utf8))
        try threadlab("explore", other).wide.run().exits(with: 1)
            .prints("some run should show warning starvation, but none of 100 random executions did.")
        try threadlab("explore", other, "--format", "json").run().exits(with: 1)
            .prints(#""expected":false"#).prints(#""missingWarnings":["starvation"]"#).prints(#""promised":[]"#)
        try threadlab("run", other, "--seed", "1").wide.run().succeeds().prints(
            "This run did not show warning starvation.")
        try threadlab("run", other, "--seed", "1", "--runs", "200").wide.run().succeeds()
            .prints("Promised: warning starvation, seen in 0 of the first 100 runs")
    }

    @Test func `cut off executions are no proof`() throws {
        try threadlab("explore", "deadlock", "--variant", "ordered", "--max-steps", "10", "--time", "500ms").wide.run()
            .exits(with: 1)
            .prints("undecided: none of ").prints(" executions ended within 10 steps; the time limit was reached.\n")
            .prints("--max-steps allows more.").doesNotPrint("proved").doesNotPrint("s expected")
    }

    @Test func `a state that some execution must end in is looked for`() throws {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "which is last"
            shared x = 0
            mutex m
            thread t[2] { lock m { x = index + 1 } }
            expect sometimes x == 2

            """
        let file = try directory.write("x.lab", Array(text.utf8))
        try threadlab("explore", file).wide.run().succeeds().prints("proved: none of 2 orders fails")
        _ = try directory.write("x.lab", Array(text.replacing("x == 2", with: "x == 3").utf8))
        try threadlab("explore", file).wide.run().exits(with: 1)
            .prints("Not as expected: no execution reached 'sometimes x == 3'.")
    }

    @Test func `assumptions are reported`() throws {
        try threadlab("explore", "deadlock", "--variant", "ordered").wide.run().succeeds()
            .prints("Assumes time advances only when every thread is blocked or repeats itself")
        try threadlab("explore", "deadlock", "--variant", "ordered", "--timeouts", "any").wide.run().succeeds()
            .prints("proved: ").doesNotPrint("Assumes time")
    }

    @Test func `a proof says how many spurious wake-ups it is about`() throws {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "a patient waiter"
            mutex m
            condition c with m
            shared isSet = false
            thread waiter { lock m { while !isSet { c.wait() } } }
            thread setter { lock m { isSet = true
            c.signal() } }

            """
        let file = try directory.write("x.lab", Array(text.utf8))
        try threadlab("explore", file).wide.run().succeeds()
            .prints("proved: none of 2 orders fails, nor any of 4 with a spurious wake-up, under any memory model.")
        try threadlab("explore", file, "--spurious", "1").wide.run().succeeds()
            .prints("proved: none of 4 orders fails, with at most one spurious wake-up, under any memory model.")
    }

    // MARK: - Strategies

    @Test(arguments: ["auto", "dpor", "random", "pct", "pos", "urw", "surw", "delay", "preempt", "dfs"])
    func `every strategy finds a deadlock, and the same is left when it is shrunk`(strategy: String) throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.lab")
        try Files.write(file, Array(Self.oppositeOrders.utf8))
        let search = try threadlab("explore", file, "--strategy", strategy).run().succeeds()
        #expect(try replay(search.output).last == "1x2,2x2" || replay(search.output).last == "2x2,1x2")
    }

    @Test(arguments: [["--depth", "2", "pct"], ["--preemptions", "1", "preempt"], ["--delays", "2", "delay"]])
    func `an option of one strategy implies it, and fits no other`(words: [String]) throws {
        try threadlab("explore", "deadlock", words[0], words[1], "--format", "json").run().succeeds()
            .prints(#""strategy":"\#(words[2])""#)
        try threadlab("explore", "deadlock", words[0], words[1], "--strategy", "dfs").run().exits(with: 2)
            .printsNothing().complains("\(words[0]) requires '--strategy \(words[2])'")
    }

    // MARK: - Determinism

    @Test(arguments: [
        ["deadlock"], ["deadlock", "--variant", "ordered"],
        ["producer-consumer", "--items", "1", "--strategy", "urw", "--runs", "2500"],
        ["producer-consumer", "--items", "1", "--strategy", "surw", "--runs", "2500"],
        ["deadlock", "--variant", "try-lock", "--keep-going", "--strategy", "random", "--runs", "1500"],
        ["deadlock", "--pause", "0", "--outcomes", "--strategy", "pct", "--runs", "2500"],
    ])
    func `the same words give the same bytes, with one process and with several`(words: [String]) throws {
        func output(_ jobs: String) throws -> String {
            let arguments = ["explore"] + words + ["--time", "1h", "--jobs", jobs]
            return try Invocation(program: Programs.threadlab, arguments: arguments).run().succeeds().output
        }
        let one = try output("1")
        for jobs in Extent.first(1, of: ["5", "2", "1"]) { #expect(try output(jobs) == one) }
    }

    @Test func `another seed searches in another way`() throws {
        let outputs = try ["1", "2"].map {
            try threadlab("explore", "producer-consumer", "--strategy", "random", "--runs", "50", "--seed", $0)
                .run()
                .succeeds().output
        }
        #expect(outputs[0] != outputs[1])
    }

    // MARK: - Rules

    @Test func `the rules that a finding needs are in its replay`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.lab")
        let text = """
            scenario "a wait that believes its signal"
            mutex m
            condition c with m
            shared isSet = false
            thread waiter { lock m { if !isSet { c.wait() }
            assert isSet } }
            thread setter { lock m { isSet = true
            c.signal() } }
            expect assertion

            """
        try Files.write(file, Array(text.utf8))
        try threadlab("explore", file, "--spurious", "0").wide.run().exits(with: 1)
            .prints("proved: none of 2 orders fails, without spurious wake-ups")
        let saved = try TemporaryDirectory()
        let search = try threadlab("explore", file, "--spurious", "1", "--save", saved.path).run().succeeds()
        #expect(try replay(search.output).contains("--spurious"))
        let words = try replay(search.output)
        try Invocation(program: Programs.threadlab, arguments: words).wide.run().succeeds().prints("assertion: ")
        let trace = saved.file("x-assertion-1.trace")
        #expect(saved.names == ["x-assertion-1.trace"])
        try threadlab("replay", trace).wide.run().succeeds().prints("--spurious 1 --schedule")
        try threadlab("replay", trace, "--spurious", "2").run().exits(with: 2).printsNothing()
            .complains("\(trace) already contains its rules: omit --spurious")
    }

    // MARK: - Output

    @Test func `outcomes are a table of the states that executions end in`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.lab")
        let text = """
            scenario "lost update"
            atomic count = 0
            thread adder[2] { let seen = count.load()
            count.store(seen + 1) }

            """
        try Files.write(file, Array(text.utf8))
        let search = try threadlab("explore", file, "--outcomes", "--strategy", "dfs").wide.run().succeeds()
            .prints("completed  count=1").prints("completed  count=2").prints("proved: none of ")
        #expect(search.lines.count == 5)
    }

    @Test func `for scripts it is a line of JSON`() throws {
        for words in [["deadlock"], ["deadlock", "--variant", "ordered"], ["deadlock", "--outcomes"]] {
            let arguments = ["explore"] + words + ["--format", "json"]
            let search = try Invocation(program: Programs.threadlab, arguments: arguments).run().succeeds()
                .printsJSONLines()
            #expect(search.lines.count == 1)
        }
        try threadlab("explore", "deadlock", "--format", "json").run().prints(
            #""conclusion":"finding","expected":true"#)
    }

    @Test func `findings that differ are collected`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.lab")
        let text = """
            scenario "two ways to fail"
            atomic turn = 0
            mutex m
            thread p { if turn.exchange(1) == 2 { m.lock(); m.lock() } }
            thread q { if turn.exchange(2) == 1 { assert false } }
            expect deadlock, assertion

            """
        try Files.write(file, Array(text.utf8))
        try threadlab("explore", file).wide.run().succeeds().prints("search: 1 finding in")
        try threadlab("explore", file, "--keep-going").wide.run().succeeds().prints("deadlock: ").prints("assertion: ")
            .prints("search: 2 findings. All ")
    }

    @Test func `beside a failure that nothing allows, another one of random runs is only named`() throws {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "two faults"
            mutex a, b
            atomic n = 0
            thread first { lock a { lock b { n.store(n.load() + 1) } } }
            thread second { lock b { lock a { } } }
            thread third { n.store(n.load() + 1) }
            finally { assert n.load() == 2 }

            """
        let file = try directory.write("x.lab", Array(text.utf8))
        let report = try threadlab("explore", file, "--strategy", "states").wide.run().exits(with: 1)
        let kinds = report.lines.filter { $0.hasPrefix("deadlock: ") || $0.hasPrefix("assertion: ") }
        #expect(kinds.count == 1)
        report.prints("  Also found: ").prints(". '--keep-going' shows every finding.")
    }

    @Test func `a terminal's progress does not get into a pipe`() throws {
        try threadlab("explore", "producer-consumer", "--runs", "100").run().succeeds().isSafeToShow()
    }

    @Test func `a full disk is reported`() throws {
        try threadlab("explore", "deadlock").writing(to: .file("/dev/full")).run().exits(with: 2)
            .complainsInOneLine(about: "No space left on device")
    }

    @Test(arguments: ["/dev/null", "/nowhere/at/all", "/proc"])
    func `where traces cannot be saved nothing is searched`(path: String) throws {
        try threadlab("explore", "deadlock", "--save", path).run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "cannot save traces in '\(path)'")
    }

    @Test func `a folder in a folder that is not there is not created`() throws {
        let directory = try TemporaryDirectory()
        try threadlab("explore", "deadlock", "--save", "none/traces").inDirectory(directory.path).run().exits(with: 2)
            .complains("cannot save traces in 'none/traces': create the folder around it first")
    }

    @Test func `a trace that cannot be saved takes nothing from the report`() throws {
        let directory = try TemporaryDirectory()
        try directory.directory("traces")
        try directory.directory("traces/deadlock-deadlock-1.trace")
        try threadlab("explore", "deadlock", "--save", "traces").inDirectory(directory.path).run().exits(with: 2)
            .prints("Replay: threadlab replay").complainsInOneLine(about: "it is a directory")
    }

    private static let oppositeOrders = """
        scenario "opposite orders"
        mutex a, b
        thread first { lock a { lock b { } } }
        thread second { lock b { lock a { } } }
        expect deadlock

        """
}
