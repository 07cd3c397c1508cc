import Testing

/// Memory of compiled programs that is never freed.
@Suite struct CompiledLeakTests {
    private static let summary = "leak: Memory was lost: it was never freed, and nothing points to it any more."

    @Test func `memory that only some orders lose is found, replayed, and leaves a proof of the rest`() throws {
        let program = try CProgram("lost", suffix: ".cpp")
        let found = try program.explore().exits(with: 0).prints(Self.summary)
            .prints(" allocated 16 bytes at lost.cpp:35.").prints("proved: none of ")
            .prints("As expected: './lost' completes, or ends in leak.")
        try program.replays(found, with: 0).prints(Self.summary).prints(" allocated 16 bytes at lost.cpp:35.")
    }

    @Test(arguments: [
        ("list", ["main allocated 16 bytes at lost.cpp:54.", "Only this block led to 9 more."]),
        ("circle", ["main allocated 16 bytes at lost.cpp:57.", "Only this block led to 1 more."]),
        ("variable", [" allocated 16 bytes at lost.cpp:60."]),
        ("copy", ["main allocated 5 blocks (25 bytes) at lost.cpp:62."]),
        ("large", ["main allocated 1048576 bytes at lost.cpp:65.", "Only this block led to 1 more."]),
        ("moved", ["main allocated 2000 bytes at lost.cpp:70."]),
        ("result", [" allocated 7 bytes at lost.cpp:74."]),
        ("unjoined", ["main allocated 7 bytes at lost.cpp:80.", "was never joined or detached."]),
        ("blocked", [" allocated 7 bytes at lost.cpp:41."]),
    ])
    func `memory that nothing points to is lost`(way: String, lines: [String]) throws {
        let program = try CProgram("lost", suffix: ".cpp")
        let found = try program.explore(arguments: [way]).exits(with: 0).prints(Self.summary)
        for line in lines { found.prints(line) }
    }

    @Test(arguments: [
        "global", "variable of main", "inside", "tagged", "far", "mapped", "key", "stream", "environment", "waiting",
        "exit", "handler", "shared", "elsewhere", "watched", "left", "freed",
    ])
    func `memory that something points to is not`(way: String) throws {
        try CProgram("lost", suffix: ".cpp").explore("--runs", "50", arguments: [way]).exits(with: 0)
            .doesNotPrint("Memory was lost")
    }

    @Test func `a file that expects the program to complete fails if memory is lost`() throws {
        let program = try CProgram("lost", suffix: ".cpp")
        try program.write("lost.lab", "scenario \"lost\"\nrun \"./lost\"\nexpect completes\n")
        try program.threadlab(["check", "lost.lab", "--controlled"]).exits(with: 1).prints("leak")
        try program.threadlab(["explore", "lost.lab"]).exits(with: 1).prints(Self.summary)
    }

    @Test func `a program may call a variable as the runtime might call its own`() throws {
        try CProgram("heap").explore().exits(with: 0).prints("proved: ")
    }
}
