import Support
import Testing

/// Compiled programs that use what nothing has initialized.
@Suite struct CompiledUnmadeTests {
    /// On a stack, memory is new only where no function has had its variables before.
    @Test(
        arguments: [
            "mutex malloc", "mutex stack", "condition malloc", "condition stack", "lock malloc", "lock stack",
            "post malloc",
            "take malloc",
        ], Extent.compilers)
    func `a lock, a condition or a semaphore that nothing has initialized must not be used`(
        words: String, compiler: String
    ) throws {
        let program = try CProgram("unmade", compiler: compiler == "gcc" ? "gcc" : CProgram.clang)
        let found = try program.explore(arguments: words.split(separator: " ").map(String.init)).exits(with: 1)
            .prints("which was destroyed or never initialized").prints("unmade.c:")
        let schedule = try #require(found.output.firstMatch(of: /--schedule ([0-9x,]+)/)).output.1
        try program.threadlab([
            "replay", program.path, "--arguments", words, "--timeouts", "any", "--schedule", String(schedule),
        ]).exits(with: 1).prints("which was destroyed or never initialized")
    }

    @Test(arguments: Extent.compilers) func `a lock that its block has no room for must not be used`(compiler: String)
        throws
    {
        let program = try CProgram("unmade", compiler: compiler == "gcc" ? "gcc" : CProgram.clang)
        try program.explore(arguments: ["mutex", "small"]).exits(with: 1)
            .prints("uses memory behind the end of block from unmade.c:")
    }

    /// A semaphore has no constant, so that of memory that is zero waits forever.
    @Test(arguments: [
        "mutex static", "mutex calloc", "mutex memset", "mutex constant", "mutex copy", "mutex call",
        "condition static",
        "condition calloc", "condition memset", "condition constant", "condition call", "lock constant", "lock call",
        "lock memset", "post calloc", "post memset", "post call", "take call",
    ])
    func `what was written, or is zero by promise, is initialized`(words: String) throws {
        let arguments = words.split(separator: " ").map(String.init)
        for compiler in ["gcc", CProgram.clang] {
            try CProgram("unmade", compiler: compiler).explore("--strategy", "dpor", arguments: arguments).exits(
                with: 0
            )
            .prints("proved: ")
        }
    }
}
