import Testing

/// Compiled programs whose waits may end, and whose weak compare-exchanges may fail, without a reason.
@Suite struct CompiledSpuriousTests {
    @Test func `a wait without a loop is found`() throws {
        let program = try CProgram("spurious")
        let found = try program.explore("--spurious", "1", arguments: ["if"]).exits(with: 1).prints("assertion: ")
        try program.replays(found).prints("assertion: ")
    }

    /// clang tells of no difference between the two kinds of compare-exchange.
    @Test func `a weak compare-exchange without a loop is found, as gcc compiles it`() throws {
        let program = try CProgram("spurious", compiler: "gcc")
        let found = try program.explore("--spurious", "1", arguments: ["once"]).exits(with: 1).prints("assertion: ")
        try program.replays(found).prints("assertion: ")
        try program.explore(arguments: ["once"]).exits(with: 0).prints("proved: ")
    }

    /// All orders are tried, and not without end.
    @Test(arguments: ["while", "loop", "strong"], ["clang", "gcc"])
    func `what continues all the same has no finding`(way: String, compiler: String) throws {
        let program = try CProgram("spurious", compiler: compiler == "gcc" ? "gcc" : CProgram.clang)
        try program.explore("--strategy", "dpor", arguments: [way]).exits(with: 0).prints("proved: ")
        let found = try program.explore("--spurious", "1", "--strategy", "dpor", arguments: [way]).exits(with: 0)
        #expect(found.output.contains("proved: ") || found.output.contains("no finding: "), "\(found.output)")
    }
}
