import Testing

/// What a file claims about its runs (`always`, `never`, `invariant`, `eventually`, `outcomes`), in every command: no
/// expected failure excuses a claim that does not hold.
@Suite struct ClaimTests {
    private static let lostUpdate = """
        scenario "x"
        atomic a = 0
        thread t[2] { let x = a.load(); a.store(x + 1) }

        """
    private static let assertion = "thread u { assert a.load() != 1 }\nexpect assertion\n"

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func threadlab(_ words: String..., program text: String) throws -> Ended {
        _ = try directory.write("x.lab", Array(text.utf8))
        return try Invocation(program: Programs.threadlab, arguments: words).wide.inDirectory(directory.path).run()
    }

    /// Claims that a lost update breaks.
    static let claims = [
        "expect always a == 2", "expect never a == 1", "expect outcomes { a == 2 }", "expect eventually a == 2",
    ]

    @Test(arguments: claims) func `an expected assertion does not excuse a claim`(_ claim: String) throws {
        let text = Self.lostUpdate + Self.assertion + claim + "\n"
        try threadlab("check", "x.lab", "--controlled", program: text).exits(with: 1)
            .prints("expected: may end in assertion; found: claim\n").prints("not expected: claim, found after ")
        try threadlab("explore", "x.lab", "--keep-going", program: text).exits(with: 1)
            .prints("\nclaim: A claim failed: ").prints("Not as expected: it should complete or end in assertion.")
        let json = try threadlab("explore", "x.lab", "--keep-going", "--format", "json", program: text).exits(with: 1)
            .prints(#"{"outcome":"claim","confirmed":true,"expected":false"#)
            .prints(#"{"outcome":"assertion","confirmed":true,"expected":true"#)
        let schedule = try #require(json.output.firstMatch(of: #/"outcome":"claim".*?"schedule":"([^"]*)"/#)).output.1
        try threadlab("replay", "x.lab", "--schedule", String(schedule), "--save", "x.trace", program: text)
            .exits(with: 1).prints("claim: A claim failed: ").prints("Not as expected: ")
        try threadlab("replay", "x.trace", program: text).exits(with: 1).prints("claim: A claim failed: ")
        try threadlab("trace", "x.trace", "--findings", program: text).prints("TL704")
        let said = claim.contains("outcomes") ? "at the end a is 1, which no row of 'outcomes' has" : "does not hold"
        try threadlab("trace", "x.trace", program: text).prints(said)
    }

    @Test func `an invariant is held although an assertion is expected, and one that it prevents is missing`() throws {
        let text = Self.lostUpdate + Self.assertion + "invariant a != 1\n"
        try threadlab("check", "x.lab", "--controlled", program: text).exits(with: 1)
            .prints("expected: may end in assertion; found: claim, no assertion")
    }

    @Test(arguments: claims) func `a claim that is called broken may fail, and some run must break it`(
        _ claim: String
    ) throws {
        let broken = claim.replacing("expect ", with: "expect broken ")
        try threadlab("check", "x.lab", "--controlled", program: Self.lostUpdate + broken + "\n").succeeds()
            .prints("  broken-claim found after ")
        try threadlab("explore", "x.lab", program: Self.lostUpdate + broken + "\n").succeeds()
            .prints("broken-claim: A claim failed that the program calls broken: ")
            .prints("As expected: 'x' may end in broken-claim.")
        let holds = broken.replacing("a == 2", with: "a > 0").replacing("a == 1", with: "a == 0")
        let rows = holds.replacing("{ a > 0 }", with: "{ a == 1; a == 2 }")
        try threadlab("check", "x.lab", "--controlled", program: Self.lostUpdate + rows + "\n").exits(with: 1)
            .prints("expected: broken-claim, but none of ")
    }

    @Test func `a broken claim does not excuse another claim`() throws {
        let text = Self.lostUpdate + "expect broken always a == 2\nexpect never a == 1\n"
        try threadlab("check", "x.lab", "--controlled", program: text).exits(with: 1)
            .prints("found: claim").prints("A claim failed: at the end, 'never a == 1' does not hold")
        let search = try threadlab("explore", "x.lab", "--keep-going", program: text).exits(with: 1)
        search.prints("\nclaim: A claim failed: at the end, 'never a == 1' does not hold: a is 1\n")
            .prints("\nbroken-claim: A claim failed that the program calls broken: at the end, 'always a == 2' does ")
    }

    @Test func `each of several broken claims must be broken by some run`() throws {
        let both = "expect broken always a == 2\nexpect broken never a == 1\n"
        try threadlab("check", "x.lab", "--controlled", program: Self.lostUpdate + both).succeeds()
            .prints("2 of 2 states seen")
        let one = "expect broken always a == 2\nexpect broken never a == 3\n"
        try threadlab("check", "x.lab", "--controlled", program: Self.lostUpdate + one).exits(with: 1)
            .prints("no run breaks 'never a == 3': each of ")
        for strategy in ["states", "dpor", "random"] {
            try threadlab(
                "explore", "x.lab", "--keep-going", "--strategy", strategy, program: Self.lostUpdate + one
            ).exits(with: 1).prints("no execution reached 'broken never a == 3'")
            try threadlab(
                "explore", "x.lab", "--keep-going", "--strategy", strategy, program: Self.lostUpdate + both
            ).succeeds().prints("'always a == 2' does not hold").prints("'never a == 1' does not hold")
        }
    }

    @Test func `what is broken under a weaker model holds under sc, and may be claimed of both in the same words`()
        throws
    {
        let start = "scenario \"x\"\natomic a = 0, b = 0, r = 0, s = 0\n"
        let buffered = """
            thread t { a.store(1, relaxed); r.store(b.load(relaxed)) }
            thread u { b.store(1, relaxed); s.store(a.load(relaxed)) }

            """
        let broken = "expect under rc11 broken never r == 0 && s == 0\n"
        let sc = start + buffered + "expect under sc never r == 0 && s == 0\n" + broken
        try threadlab("check", "x.lab", "--controlled", program: sc).succeeds()
            .prints("x.lab under sc  proved: none of 3 orders fails, under sc\n")
        let both = start + buffered + "expect never r == 0 && s == 0\n" + broken
        try threadlab("check", "x.lab", "--controlled", program: both).exits(with: 1).prints("found: claim")
            .prints("A claim failed: at the end, 'never r == 0 && s == 0' does not hold")
    }

    @Test func `a search that ended at what is expected says that it leaves claims open`() throws {
        let text = Self.lostUpdate + Self.assertion + "expect never a == 9\n"
        let open = "Whether there are others, and whether the program's claims hold, is open; '--keep-going' looks "
        try threadlab("explore", "x.lab", program: text).succeeds()
            .prints("The search ended at a finding that is expected. " + open)
        try threadlab("explore", "x.lab", "--format", "json", program: text).succeeds()
            .prints(#""endedAtExpected":true"#)
        try threadlab("explore", "x.lab", "--keep-going", program: text).succeeds().doesNotPrint(open)
        try threadlab("explore", "x.lab", program: Self.lostUpdate + "expect never a == 1\n").exits(with: 1)
            .doesNotPrint("is open")
    }

    @Test func `real threads hold claims about the end too`() throws {
        let text = """
            scenario "x"
            atomic a = 0
            thread t { a.store(1) }
            expect assertion
            expect always a == 2
            expect broken never a == 1

            """
        try threadlab("run", "x.lab", "--native", program: text).exits(with: 1).prints("claim.broken")
            .prints("claim.failed").prints("claim: A claim failed: at the end, 'always a == 2' does not hold")
        try threadlab("run", "x.lab", "--native", "--runs", "3", program: text).exits(with: 1).prints("claim")
        try threadlab("run", "x.lab", "--seed", "1", "--runs", "20", program: text).exits(with: 1).prints("claim")
        try threadlab("check", "x.lab", "--native", program: text).exits(with: 1).prints("found: claim")
        let expected = text.replacing("expect assertion\nexpect always a == 2\n", with: "")
        try threadlab("run", "x.lab", "--native", program: expected).succeeds().prints("As expected: ")
        try threadlab("check", "x.lab", program: expected).succeeds().prints("native: broken-claim in 3 of 3 runs")
    }

    @Test func `a baseline lists it like any failure, and the cache of proofs does not remember it`() throws {
        let text = Self.lostUpdate + Self.assertion + "expect never a == 1\n"
        try threadlab("check", "x.lab", "--controlled", "--cache", "proofs", program: text).exits(with: 1)
        #expect(TemporaryDirectory.names(in: directory.file("proofs")).isEmpty)
        try threadlab("check", "x.lab", "--controlled", "--write-baseline", "known", program: text).succeeds()
        try threadlab("check", "x.lab", "--controlled", "--baseline", "known", program: text).succeeds()
            .prints("1 known")
        let broken = Self.lostUpdate + "expect broken never a == 1\n"
        try threadlab("check", "x.lab", "--controlled", "--baseline", "known", program: broken).exits(with: 1)
    }

    @Test func `what must happen may be true only at the beginning`() throws {
        let text = "scenario \"x\"\natomic a = 1\nthread t { a.store(0) }\nexpect completes\nexpect eventually a == 1\n"
        for strategy in [[], ["--strategy", "states"], ["--strategy", "dpor"], ["--strategy", "dfs"]] {
            _ = try directory.write("x.lab", Array(text.utf8))
            try Invocation(program: Programs.threadlab, arguments: ["explore", "x.lab"] + strategy)
                .inDirectory(directory.path).run().succeeds().prints("proved: ")
        }
        try threadlab("check", "x.lab", "--require-proof", program: text).succeeds()
    }

    @Test func `a promised warning does not hide how the executions ended that showed it`() throws {
        // The search tries one execution, which ends well; the random ones after it do not.
        let text = """
            scenario "x"
            mutex m
            atomic a = 0
            thread t[2] { lock m { let x = a.load(); yield }; a.add(1) }
            thread u { lock m { yield }; assert a.load() != 1 }
            expect warning contention

            """
        try threadlab("check", "x.lab", "--controlled", "--runs", "1", "--seed", "2", program: text).exits(with: 1)
            .prints("not expected: assertion, found after ")
        try threadlab("explore", "x.lab", "--strategy", "dpor", "--runs", "100", program: text).exits(with: 1)
            .prints("assertion: ")
    }
}
