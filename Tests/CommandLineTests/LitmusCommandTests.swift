import Glibc
import Support
import Testing

/// `threadlab litmus`
@Suite struct LitmusCommandTests {
    @Test func `a table has the outcomes, and which models allow them`() throws {
        let table = try threadlab("litmus", "store-buffering-fixed", "--rounds", "20000", "--time", "10m").run()
            .succeeds()
        table.prints("'store buffering, fixed': 20,000 rounds, ").prints("\n2 threads, ")
        let counts = table.output.matches(of: /\n *(\d+) +\d+\.\d{3}%  completed  r0=(\d) r1=(\d)  yes  yes  yes/)
        #expect(!counts.isEmpty && counts.reduce(0) { $0 + (Int($1.output.1) ?? 0) } == 20_000)
        #expect(counts.allSatisfy { ($0.output.2, $0.output.3) != ("0", "0") })
        #expect(table.output.contains(/\n *count +share  outcome +memory +sc   tso  rc11\n/))
    }

    @Test func `an outcome of weak memory is marked as one, where a processor shows it`() throws {
        let table = try threadlab("litmus", "store-buffering", "--rounds", "20000", "--time", "10m").run().succeeds()
        for row in table.output.matches(of: /%  completed  r0=(\d) r1=(\d)  (.*)\n/) {
            let isWeak = (row.output.1, row.output.2) == ("0", "0")
            #expect(row.output.3 == (isWeak ? "no   yes  yes" : "yes  yes  yes"))
        }
    }

    @Test func `for scripts it is JSON`() throws {
        let table = try threadlab(
            "litmus", "store-buffering", "--rounds", "2000", "--time", "10m", "--format", "json", "--threads", "free"
        ).run().succeeds().printsJSONLines()
        table.prints("\"scenario\":\"store buffering\",\"rounds\":2000,").prints("\"pinned\":false,")
            .prints("\"contradiction\":false,").prints("\"sc\":\"yes\"")
    }

    @Test func `what it does not support is named with its place, and nothing is run`() throws {
        let ended = try threadlab("litmus", "barbershop").run().exits(with: 2).printsNothing()
        #expect(ended.errors.contains(/barbershop:\d+:\d+: error: litmus does not support semaphores\n/))
        try threadlab("litmus", "deadlock").run().exits(with: 2).printsNothing()
            .complains(
                "litmus runs programs in .lab files, and deadlock runs Swift code: 'threadlab run deadlock' runs it on "
                    + "real threads")
    }

    @Test func `a run ends at its time limit, and says so`() throws {
        try threadlab("litmus", "store-buffering", "--rounds", "1000000000000", "--time", "50ms").wide.run().succeeds()
            .prints("ended early: the time is over; --time allows more. 1,000,000,000,000 rounds were asked for.")
    }

    @Test func `an interrupted run ends with the code of the signal`() throws {
        let directory = try TemporaryDirectory()
        let text = "scenario \"endless\"\nshared x = 0\nthread t { x = 1 }\n"
        let file = try directory.write("endless.lab", Array(text.utf8))
        // The warning about x is printed before the rounds begin.
        try threadlab("litmus", file, "--rounds", "1000000000000", "--time", "1h").whenItSays(file) { running in
            running.signal(SIGINT)
        }.run().exits(with: 130)
    }

    @Test func `interrupted while it searches what a model allows, it says that no round was run`() throws {
        let directory = try TemporaryDirectory()
        // The search does not end: each turn of the loop is another state.
        let text = """
            scenario "endless"
            atomic x = 0
            shared unread = 0
            thread t[2] { var n = 0; while x.load() >= 0 { n += 1; x.store(n) } }
            """
        let file = try directory.write("endless.lab", Array(text.utf8))
        try threadlab("litmus", file, "--time", "1h").whenItSays(file) { $0.signal(SIGINT) }.run().exits(with: 130)
            .printsNothing()
    }

    @Test func `a data race leaves the models unknown`() throws {
        let directory = try TemporaryDirectory()
        let text = "scenario \"race\"\nshared x = 0\nthread t[2] { x += 1 }\nexpect race\nexpect sometimes x == 1\n"
        let file = try directory.write("race.lab", Array(text.utf8))
        try threadlab("litmus", file, "--rounds", "100", "--time", "10m").wide.run().succeeds()
            .prints("unknown (sc, tso, rc11): the program has a data race, and a run ends there.").prints(
                "  ?   ?    ?\n")
    }
}
