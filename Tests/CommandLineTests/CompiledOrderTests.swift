import Support
import Testing

/// Compiled programs whose atomic operations have orders weaker than sequential consistency, under which they are searched.
@Suite struct CompiledOrderTests {
    static let weaker =
        "No proof: The program was searched under sequential consistency only, and its atomic operations have weaker orders at "

    @Test(
        arguments: [
            ("relaxed", "orders.c:15"), ("release", "orders.c:19"), ("consume", "orders.c:23"),
            ("failure", "orders.c:28"),
            ("fence", "orders.c:32"), ("builtin", "orders.c:37"), ("unlock", "orders.c:42"),
            ("buffering", "orders.c:68,69,73,74"),
        ], Extent.compilers)
    func `nothing is proved of a program with a weaker order, whose line is named`(
        _ way: (name: String, lines: String), compiler: String
    ) throws {
        let program = try CProgram("orders", compiler: compiler == "gcc" ? "gcc" : CProgram.clang)
        try program.explore("--strategy", "dpor", arguments: [way.name]).exits(with: 0)
            .prints(Self.weaker + way.lines + ".").doesNotPrint("proved")
    }

    @Test func `the first eight lines are named`() throws {
        try CProgram("orders").explore("--strategy", "dpor", arguments: ["many"]).exits(with: 0)
            .prints(Self.weaker + "orders.c:51,52,53,54,55,56,57,58 and in 2 more lines.")
    }

    /// As many orders as the same loop has with seqcst ("yield" of `CompiledSpinTests`).
    @Test(arguments: Extent.compilers) func `a loop that only reads, with acquire, waits for a write`(compiler: String)
        throws
    {
        let program = try CProgram("orders", compiler: compiler == "gcc" ? "gcc" : CProgram.clang)
        try program.explore("--strategy", "dpor", arguments: ["await"]).exits(with: 0)
            .prints("no finding: in 3 executions, 32 steps, the longest execution 12: not a proof.")
            .prints(Self.weaker + "orders.c:80.").doesNotPrint("proved")
    }

    @Test(arguments: ["seqcst", "sync", "alone"], Extent.compilers)
    func `a program without one is proved, also if it has some while there is one thread`(way: String, compiler: String)
        throws
    {
        let program = try CProgram("orders", compiler: compiler == "gcc" ? "gcc" : CProgram.clang)
        try program.explore("--strategy", "dpor", arguments: [way]).exits(with: 0)
            .prints("proved: ").prints("under any memory model.")
    }

    static let builds = Extent.first(2, of: ["g++ -O0", "clang++ -O1", "clang++ -O0"])

    private func program(_ build: String) throws -> CProgram {
        let words = build.split(separator: " ").map(String.init)
        return try CProgram(
            "orders", suffix: ".cpp", compiler: words[0] == "g++" ? "gcc" : CProgram.clang,
            flags: Array(words.dropFirst()))
    }

    @Test(arguments: ["shared", "guard", "future", "once", "seqcst"], builds)
    func `orders that the library of C++ has chosen for what it is made of are its own`(way: String, build: String)
        throws
    {
        try program(build).explore("--strategy", "dpor", arguments: [way]).exits(with: 0).prints("proved: none of ")
            .prints(way == "seqcst" ? ", under any memory model." : ", under sc.")
    }

    @Test(
        arguments: [
            ("load", "orders.cpp:57"), ("store", "orders.cpp:58"), ("free", "orders.cpp:66"), ("wait", "orders.cpp:68"),
        ],
        builds)
    func `those that the program gives to an atomic of C++ are named by its lines`(
        _ way: (name: String, line: String), build: String
    ) throws {
        try program(build).explore("--strategy", "dpor", arguments: [way.name]).exits(with: 0)
            .prints(Self.weaker + way.line).doesNotPrint("proved")
    }

    @Test(arguments: builds + ["clang++ -O1 -fno-inline -fomit-frame-pointer"])
    func `both of two calls of one function of the library, in one function, are named`(build: String) throws {
        try program(build).explore("--strategy", "dpor", arguments: ["both"]).exits(with: 0)
            .prints(Self.weaker + "orders.cpp:61,62.").doesNotPrint("proved")
    }

    @Test(arguments: ["tso", "rc11"]) func `weaker models of compiled programs are to come`(model: String) throws {
        try CProgram("orders").explore("--model", model, arguments: ["relaxed"]).exits(with: 2)
            .complainsInOneLine(about: "--model \(model) for them is to come")
    }
}
