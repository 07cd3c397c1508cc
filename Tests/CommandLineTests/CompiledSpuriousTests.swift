import Testing

/// Compiled programs whose waits may end, and whose weak compare-exchanges may fail, without a reason.
@Suite struct CompiledSpuriousTests {
    @Test func `a wait without a loop is found`() throws {
        let program = try CProgram("spurious")
        for options in [["--spurious", "1"], []] {
            let found = try program.threadlab(["explore", program.path] + options + ["--", "if"]).exits(with: 1)
                .prints("assertion: An assertion failed: ready: ready is 0\n")
            try program.replays(found).prints("assertion: An assertion failed: ready: ready is 0\n")
        }
        try program.explore("--spurious", "0", arguments: ["if"]).exits(with: 0)
            .prints("proved: none of 2 orders fails, without spurious wake-ups, under any memory model.")
    }

    /// clang tells of no difference between the two kinds of compare-exchange.
    @Test func `a weak compare-exchange without a loop is found, as gcc compiles it`() throws {
        let program = try CProgram("spurious", compiler: "gcc")
        for options in [["--spurious", "1"], []] {
            let found = try program.threadlab(["explore", program.path] + options + ["--", "once"]).exits(with: 1)
                .prints(
                    "assertion: An assertion failed: atomic_compare_exchange_weak(&word, &expected, 1): word is 0\n")
            try program.replays(found).prints("assertion: ")
        }
        try program.explore("--spurious", "0", arguments: ["once"]).exits(with: 0).prints(
            "proved: none of 2 orders fails, without weak compare-exchanges that fail for no reason, under any memory model."
        )
    }

    /// All orders are tried, and not without end.
    @Test(arguments: [
        (
            "while", "clang", "2 orders fails, nor any of 4 with a spurious wake-up",
            "4 orders fails, with at most one spurious wake-up"
        ),
        (
            "while", "gcc", "2 orders fails, nor any of 4 with a spurious wake-up",
            "4 orders fails, with at most one spurious wake-up"
        ),
        (
            "loop", "gcc", "4 orders fails, nor any of 18 with one weak compare-exchange that fails for no reason",
            "18 orders fails, with one weak compare-exchange that fails for no reason at most"
        ),
        ("loop", "clang", "4 orders fails", "4 orders fails"),
        ("strong", "clang", "2 orders fails", "2 orders fails"), ("strong", "gcc", "2 orders fails", "2 orders fails"),
    ])
    func `what continues all the same is proved`(way: String, compiler: String, usual: String, allowing: String) throws
    {
        let program = try CProgram("spurious", compiler: compiler == "gcc" ? "gcc" : CProgram.clang)
        try program.explore("--strategy", "dpor", arguments: [way]).exits(with: 0)
            .prints("proved: none of \(usual), under any memory model.")
        try program.explore("--spurious", "1", "--strategy", "dpor", arguments: [way]).exits(with: 0)
            .prints("proved: none of \(allowing), under any memory model.")
    }
}
