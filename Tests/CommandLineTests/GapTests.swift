import Exploration
import Testing

/// Whatever a search has not done keeps it from a proof, and is told.
@Suite struct GapTests {
    private struct Search {
        let text: String
        let options: [String]
        /// What the report says.
        let sentence: String

        init(_ text: String, _ options: String..., saying sentence: String) {
            self.text = text
            self.options = options
            self.sentence = sentence
        }
    }

    private static let counter = """
        scenario "counter"
        mutex m
        shared n = 0
        thread t[2] { lock m { n = n + 1 } }

        """

    private static let sometimesLong = """
        scenario "sometimes long"
        mutex m
        shared n = 0
        thread t { if choose(2) == 0 { repeat 30 { lock m { n = n + 1 } } } }

        """

    /// Has too many states for the smallest table.
    private static let buffer = """
        scenario "buffer"
        mutex m
        condition notFull with m, notEmpty with m
        shared used = 0
        thread producer[2] {
            repeat 400 { lock m { while used == 1 { notFull.wait() }; used = used + 1; notEmpty.signal() } }
        }
        thread consumer[2] {
            repeat 400 { lock m { while used == 0 { notEmpty.wait() }; used = used - 1; notFull.signal() } }
        }

        """

    private static let waiter = """
        scenario "a patient waiter"
        mutex m
        condition c with m
        shared isSet = false
        thread waiter { lock m { while !isSet { c.wait() } } }
        thread setter { lock m { isSet = true; c.signal() } }

        """

    private static func search(with gap: Gap.Kind) -> Search? {
        switch gap {
        case .unfinished:
            Search(counter, "--strategy", "random", "--runs", "5", saying: "in 5 executions")
        case .bound: Search(counter, "--preemptions", "0", saying: "executions beyond the bound were not explored")
        case .memory:
            Search(
                buffer, "--all-states", "--memory", "16", "--time", "1h", saying: "needed more than 16.0 MB of memory")
        case .hashes: Search(counter, "--hash-compaction", saying: "compared by hashes of 64 bits")
        case .cutOff:
            Search(
                sometimesLong, "--strategy", "dpor", "--max-steps", "60",
                saying: "executions did not end within 60 steps")
        case .noProver:
            Search(
                buffer.replacing("used = 0\n", with: "used = 0\natomic rounds = 0\n")
                    .replacing("producer[2] {\n", with: "producer[2] {\n    rounds.add(1, relaxed)\n"),
                "--model", "rc11", "--runs", "50",
                saying: "'notFull' (line 3) has no search by graphs yet")
        case .wider:
            Search(
                waiter, "--strategy", "dpor", "--runs", "3",
                saying: "No proof with a spurious wake-up: 3 executions were tried, and not all there are")
        // No file can describe such programs. What is abandoned, Exploration's tests of the same name make.
        // What several searches leave out, DividedProverTests have.
        case .abandoned, .escaped, .uncontrolled, .swarm: nil
        }
    }

    @Test(arguments: Gap.Kind.allCases.filter { $0 != .abandoned && $0 != .swarm })
    func `what was not done is told, and is no proof`(gap: Gap.Kind) throws {
        let directory = try TemporaryDirectory()
        guard let search = Self.search(with: gap) else {
            try plugin("explore", "mishap", "--variant", "clock").wide.run().exits(with: 1).prints("not repeatable: ")
                .doesNotPrint("proved")
            try plugin("explore", "mishap", "--variant", "clock", "--format", "json").run().exits(with: 1)
                .prints("\"conclusion\":\"unrepeatable\"").prints("\"gaps\":[\"uncontrolled\"")
            return
        }
        let file = try directory.write("x.lab", Array(search.text.utf8))
        let arguments = ["explore", file] + search.options
        // In none of the states an execution ends.
        let isUndecided = gap == .memory
        try Invocation(program: Programs.threadlab, arguments: arguments).wide.run().exits(with: isUndecided ? 1 : 0)
            .prints(isUndecided ? "that were visited ends an execution" : "not a proof").prints(search.sentence)
            .doesNotPrint("proved")
        try Invocation(program: Programs.threadlab, arguments: arguments + ["--format", "json"]).run()
            .exits(with: isUndecided ? 1 : 0)
            .prints("\"conclusion\":\"\(isUndecided ? "undecided" : "unproved")\"").prints("\"\(gap.rawValue)\"")
    }
}
