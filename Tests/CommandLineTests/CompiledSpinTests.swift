import Support
import Testing

/// Compiled threads that do nothing but read until another has written.
@Suite struct CompiledSpinTests {
    static let levels = ["-O0", "-O2"]

    /// With the number of orders: each thread looks twice before it waits.
    @Test(arguments: [
        ("flag", 3), ("two", 9), ("yield", 3), ("poll", 3), ("both", 7), ("exchange", 6), ("compare", 6), ("ticket", 6),
        ("three", 126), ("peterson", 24),
    ])
    func `a loop that only reads waits for a write, so locks that spin are proved`(name: String, orders: Int) throws {
        try CProgram("spins").explore("--strategy", "dpor", arguments: [name]).exits(with: 0)
            .prints("proved: none of \(orders) orders fails, under any memory model.")
    }

    /// The compiler may have made two places of the first round and the others.
    @Test(arguments: ["yield", "poll", "both", "exchange", "ticket", "peterson"], Extent.compilers)
    func `and also as compilers improve them`(name: String, compiler: String) throws {
        let program =
            compiler == "gcc"
            ? try CProgram("spins", compiler: "gcc", flags: ["-O2"]) : try CProgram("spins", flags: ["-O2"])
        try program.explore("--strategy", "dpor", arguments: [name]).exits(with: 0).prints("proved: ")
    }

    /// The first write of a page, which a failing compare-exchange is too, is a fault in the first execution alone.
    @Test(
        arguments: ["turn", "late", "seen", "gate", "either", "yield"],
        ["clang -O0", "clang -O2", "gcc -O0", "gcc -O2"])
    func `a loop of compare-exchanges on a word that nothing has written before is proved`(way: String, build: String)
        throws
    {
        let words = build.split(separator: " ").map(String.init)
        let compiler = words[0] == "gcc" ? "gcc" : CProgram.clang
        try CProgram("handover", compiler: compiler, flags: [words[1]]).explore("--strategy", "dpor", arguments: [way])
            .exits(with: 0).prints("proved: none of ")
    }

    @Test(arguments: levels) func `and so is one of C++`(level: String) throws {
        try CProgram("handover", suffix: ".cpp", compiler: "gcc", flags: [level]).explore("--strategy", "dpor")
            .exits(with: 0).prints("proved: none of ")
    }

    /// What others write of a thread's stack is not what the thread is.
    @Test(arguments: ["answer", "beside", "other", "count"], Extent.compilers)
    func `a thread waits in the same way for variables that are on its stack`(way: String, compiler: String) throws {
        let program =
            compiler == "gcc"
            ? try CProgram("locals", compiler: "gcc", flags: ["-O2"]) : try CProgram("locals", flags: ["-O0"])
        let proofs = try ["global", "local"].map { place in
            let found = try program.explore("--strategy", "dpor", arguments: [way, place]).exits(with: 0)
            return try #require(found.output.firstMatch(of: /proved: none of \d+ orders/)).output
        }
        #expect(proofs[0] == proofs[1])
    }

    @Test(arguments: levels) func `a loop that counts its rounds is searched round by round`(level: String) throws {
        let program = try CProgram("spins", flags: [level])
        for name in ["try", "count"] {
            try program.explore("--strategy", "dpor", arguments: [name]).exits(with: 0)
                .prints("proved: none of 4 orders fails, under any memory model.")
        }
    }

    @Test(arguments: levels) func `a thread that spins forever is a livelock, with the variable and the line`(
        level: String
    ) throws {
        try CProgram("spins", flags: [level]).explore(arguments: ["forever"]).exits(with: 1)
            .prints("livelock: await_both spins forever: no thread is left to change ").prints("spins.c:")
            .prints("Make sure that some thread always writes to ")
    }

    @Test(arguments: levels) func `a loop with a function of which it is not known what it does ends as it does`(
        level: String
    ) throws {
        try CProgram("drawn", flags: [level]).explore().exits(with: 0).prints("The program has called 'lrand48'")
    }

    @Test(arguments: levels) func `no thread is said to spin forever whose loop ends by what is not seen`(
        level: String
    ) throws {
        try CProgram("hidden", flags: [level]).explore("--time", "10s").exits(with: 0).doesNotPrint("livelock")
    }

    /// What an argument's register has, an exchange that is done only once, and a sleep after the loop.
    @Test(arguments: [("next", "proved: "), ("once", "Data race: "), ("pause", "proved: ")], levels)
    func `a round is as the last only if all of it is`(_ way: (name: String, result: String), level: String) throws {
        try CProgram("pointed", flags: [level]).explore("--strategy", "dpor", arguments: [way.name]).prints(way.result)
    }

    @Test func `a lock that is taken after it was seen free is found, by each strategy`() throws {
        let program = try CProgram("spins")
        for strategy in ["dpor", "random", "pct"] {
            try program.explore("--strategy", strategy, arguments: ["late"]).exits(with: 1).prints("Data race")
                .prints("shared")
        }
    }

    @Test(arguments: Extent.compilers)
    func `a loop that reads a plain variable, and takes no step, lets the thread that writes it come`(compiler: String)
        throws
    {
        let program = try compiler == "gcc" ? CProgram("flag", compiler: "gcc") : CProgram("flag")
        try program.explore().exits(with: 1).prints("race: Data race: threads main and set access is_set")
    }

    /// With the number of orders: that the library looks 16 times before it waits makes no more of them.
    @Test(
        arguments: [("barrier", "4,158"), ("latch", "10"), ("semaphore", "5"), ("wait", "7")], Extent.compilers)
    func `waits of C++ that spin for a short time first are proved`(way: (String, String), compiler: String) throws {
        try rendezvous(compiler).explore("--strategy", "dpor", arguments: [way.0]).exits(with: 0)
            .prints("proved: none of \(way.1) orders fails, nor any of ")
    }

    @Test(arguments: Extent.compilers) func `and one that no thread ends is found`(compiler: String) throws {
        try rendezvous(compiler).explore("--strategy", "dpor", arguments: ["silent"]).exits(with: 1)
            .prints("deadlock: take waits for a signal that no remaining thread can send.")
    }

    private func rendezvous(_ compiler: String) throws -> CProgram {
        try CProgram("rendezvous", suffix: ".cpp", compiler: compiler == "gcc" ? "gcc" : CProgram.clang)
    }
}
