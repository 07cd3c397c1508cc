import Support
import Testing

/// `threadlab explore --strategy states`, and the pictures of states.
@Suite struct StateSearchTests {
    private static let buffer = Repository.text(of: StateCountTests.buffer) ?? ""

    /// How many states `buffer` has, with words after it.
    private static func states(_ words: String = "") throws -> String {
        try #require(GoldenTable.states.values(of: StateCountTests.buffer + words).first)
    }

    /// Each waits until the other has its turn, and gives it back at once.
    private static let spinning = """
        scenario "polite"
        atomic turn = 0
        thread guest[2] {
            while turn.load() == index { turn.store(1 - index) }
            while turn.load() != index { turn.store(index) }
        }
        expect livelock

        """

    private func written(_ text: String) throws -> (TemporaryDirectory, String) {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.lab")
        try Files.write(file, Array(text.utf8))
        return (directory, file)
    }

    @Test func `what has too many traces is proved by its states, alone and among other strategies`() throws {
        let (directory, file) = try written(Self.buffer)
        defer { withExtendedLifetime(directory) {} }
        let searches: [(options: [String], golden: String, states: String, spurious: String)] = [
            (["--strategy", "states"], "", "17,614", "37,638"), ([], "", "17,614", "37,638"),
            (["--all-states"], " --all-states", "81,778", "174,992"), (["--depth-first"], "", "17,614", "37,638"),
        ]
        for (options, golden, states, spurious) in searches {
            #expect(try Self.states(golden) == states.replacing(",", with: ""))
            let words = ["explore", file] + options
            try Invocation(program: Programs.threadlab, arguments: words).wide.run().succeeds().prints(
                "proved: none of \(states) states fails, nor any of \(spurious) with a spurious wake-up, under any memory model. "
                    + "All were visited: ")
            try Invocation(program: Programs.threadlab, arguments: words + ["--spurious", "0"]).wide.run().succeeds()
                .prints(
                    "proved: none of \(states) states fails, without spurious wake-ups, under any memory model. All were visited: "
                )
        }
        try threadlab("check", file, "--format", "json").run().succeeds().prints(
            "\"proof\":true,\"states\":\(try Self.states()),\"model\":\"any\",\"lazyTime\":false,\"spurious\":1,"
                + "\"statesWithSpurious\":37638,")
    }

    @Test func `states that are compared by hash prove nothing, and the report says why`() throws {
        let (directory, file) = try written(Self.buffer)
        defer { withExtendedLifetime(directory) {} }
        let search = try threadlab("explore", file, "--hash-compaction").wide.run().succeeds()
            .prints("no finding: in \(try Self.states()) states").prints("not a proof")
            .prints("compared by hashes of 64 bits: the probability that one was missed is below 1 in 10^11.")
            .prints("Executions that never end were not looked for.")
        #expect(!search.output.contains("proved"))
        try threadlab("explore", file, "--hash-compaction", "--format", "json").run().succeeds()
            .prints("\"conclusion\":\"unproved\"").prints("\"hashBits\":64,\"chanceOfMissed\":8.4")
    }

    @Test func `a search says how much memory a state takes, and why equal threads were not exchanged`() throws {
        let (directory, file) = try written(
            Self.buffer.replacing("used = used - 1;", with: "used = used - 1 + 0 * index;"))
        defer { withExtendedLifetime(directory) {} }
        let search = try threadlab("explore", file, "--strategy", "states").wide.run().succeeds()
            .prints(" bytes a state.")
            .prints("Threads 'consumer' were not exchanged: the program uses 'index' on line 16.")
        #expect(!search.output.contains("'producer' were not exchanged"))
    }

    @Test func `the memory limit ends a search without a proof`() throws {
        let (directory, file) = try written(Self.buffer.replacing("items = 5", with: "items = 400"))
        defer { withExtendedLifetime(directory) {} }
        let search = try threadlab("explore", file, "--all-states", "--memory", "16", "--time", "1h").wide.run()
            .exits(with: 1).prints("  The states needed more than 16.0 MB of memory; --memory allows more.\n")
            .doesNotPrint("proved").doesNotPrint("s expected")
        // None of the states that it visits first is an end.
        #expect(
            search.output.contains(/^undecided: none of \d\d\d,\d\d\d states that were visited ends an execution\.\n/))
    }

    @Test func `a cycle that a fair scheduler can follow forever is a livelock, which one command replays`() throws {
        let (directory, file) = try written(Self.spinning)
        defer { withExtendedLifetime(directory) {} }
        let search = try threadlab("explore", file, "--strategy", "states").wide.run().succeeds()
            .prints("steps repeat forever").prints("Found by the search by states")
        let line = try #require(search.output.split(separator: "\n").first { $0.hasPrefix("  Replay: ") })
        let words = line.dropFirst("  Replay: ".count).split(separator: " ").dropFirst().map(String.init)
        let replay = try Invocation(program: Programs.threadlab, arguments: words).run()
        #expect(replay.output.contains("livelock: No progress"))
    }

    @Test func `a program that fails before its first step has one state, which is found`() throws {
        let (directory, file) = try written("scenario \"x\"\nfinally { assert 1 > 2 }\nexpect assertion\n")
        defer { withExtendedLifetime(directory) {} }
        // Its warning, that there is no thread, is on the error stream.
        try threadlab("explore", file, "--strategy", "states").wide.run().exits(with: 0)
            .prints("'1 > 2' does not hold").prints("As expected")
    }

    @Test func `only a program in a file has states`() throws {
        try threadlab("explore", "deadlock", "--strategy", "states").run().exits(with: 2)
            .complainsInOneLine(about: "searches programs in .lab files")
    }

    @Test func `a picture shows each state, and the path to the failure`() throws {
        let (directory, file) = try written(
            """
            scenario "lost \\\"update\\\""
            shared count = 0
            thread adder[2] { count = count + 1 }
            finally { assert count == 2 }
            expect race, assertion

            """)
        defer { withExtendedLifetime(directory) {} }
        let picture = directory.file("states.dot")
        try threadlab("export", file, picture, "--as", "states").run().succeeds()
        let text = try #require(Files.text(picture))
        #expect(text.hasPrefix("digraph states {"))
        #expect(text.contains("adder[0]: read count :3"))
        #expect(text.contains("[label=\"count = 1\\nassertion\" color=red"))
        #expect(text.contains("[label=\"count = 2\\ncompleted\" fillcolor"))
        try threadlab("export", file, directory.file("states.png"), "--as", "states").run().exits(with: 2)
            .complainsInOneLine(about: "should end in .dot, .gv or .svg")
        try threadlab("export", "deadlock", picture, "--as", "states").run().exits(with: 2)
            .complainsInOneLine(about: "the state of Swift code is unknown")
    }

    @Test func `a picture shows a Boolean as false or true`() throws {
        let (directory, file) = try written(
            """
            scenario "flag"
            atomic ready = false
            thread setter { ready.store(true) }
            thread getter { await ready.load() }

            """)
        defer { withExtendedLifetime(directory) {} }
        let picture = directory.file("states.dot")
        try threadlab("export", file, picture, "--as", "states").run().succeeds()
        let text = try #require(Files.text(picture))
        #expect(text.contains("ready = false"))
        #expect(text.contains("setter: ready = true :3"))
    }
}
