import Testing

/// The clock of a run has 64 bits. Times that would be later than its last moment are the last moment.
@Suite struct LongestTimeTests {
    /// What passes only after 292 years, one after the other and beside each other.
    private static let programs = [
        "atomic n = 0\nthread t { sleep 9223372036854775807ns; n.store(1) }\nexpect always n == 1",
        """
        atomic n = 0
        thread t[4] { sleep 9223372036854775807ns; sleep 9223372036854775807ns; n.add(1); sleep 1ns; sleep 153722867m }
        expect always n == 4
        """,
        """
        mutex m
        atomic n = 0
        thread holder { lock m { await n.load() == 3 } }
        thread t[3] { sleep 1ms; if !m.lock(for: 9223372036854775807ns) { n.add(1) } else { m.unlock() } }
        """,
        """
        semaphore s = 0
        mutex m
        condition c with m
        rwlock r
        thread reader { reading r { sleep 9223372036854775806ns; sleep 1ms } }
        thread t {
            sleep 1ns
            assert !s.wait(for: 9223372036854775807ns)
            lock m { assert !c.wait(for: 9223372036854775807ns) }
            if r.writeLock(for: 1ms) { r.unlock() }
        }
        """,
    ]

    @Test(arguments: programs)
    func `in a controlled run every time limit passes`(_ program: String) throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.lab")
        try Files.write(file, Array("scenario \"x\"\n\(program)\nexpect completes\n".utf8))
        for strategy in ["dpor", "dfs", "states", "random"] {
            // With a spurious wake-up, a wait on a condition need not end by its limit.
            try threadlab("explore", file, "--strategy", strategy, "--runs", "50", "--spurious", "0").wide.run()
                .succeeds()
                .prints("As expected: 'x' completes.")
        }
        let trace = directory.file("x.trace")
        for format in ["text", "lanes", "json"] {
            try threadlab(
                "run", file, "--seed", "1", "--format", format, "--save", trace, "--html", directory.file("x.html")
            ).run().succeeds()
        }
        for name in ["x.pftrace", "x.log", "x.svg"] {
            try threadlab("export", trace, directory.file(name)).run().succeeds()
        }
        try threadlab("replay", trace).run().succeeds().prints("completed: ")
    }
}
