import Testing

/// What compiled programs do when they exit.
@Suite struct CompiledExitTests {
    @Test(arguments: ["stream", "copy", "descriptor"])
    func `a standard stream that an execution closes is open in the next one`(way: String) throws {
        let program = try CProgram("closes")
        try program.explore(arguments: [way]).exits(with: 0).prints("no finding: in 2 executions")
        try program.alone([way]).succeeds()
    }

    @Test func `handlers, static variables and destructors are called in the order of the C library`() throws {
        let program = try CProgram("exits", suffix: ".cpp")
        for way in ["return", "exit"] {
            try program.alone([way]).succeeds()
            try program.explore(arguments: [way]).exits(with: 0).prints(
                "proved: the only order passes, under any memory model.")
            // The program says so only if all seven were called in their order.
            try program.threadlab(["run", program.path, "--", way]).exits(with: 0).complainsInOneLine(
                about: "all were called")
        }
        try program.explore(arguments: ["quick"]).exits(with: 0).prints(
            "proved: the only order passes, under any memory model.")
    }

    @Test func `a handler can exit with another code, and the last thread calls the handlers too`() throws {
        let program = try CProgram("exits", suffix: ".cpp")
        try program.explore(arguments: ["code"]).exits(with: 1).prints("exits with code 9  :72")
        try program.threadlab(["run", program.path, "--", "last"]).exits(with: 0).complainsInOneLine(
            about: "the last thread exits")
    }

    @Test func `a thread that uses a static variable after its destruction is found`() throws {
        try CProgram("exits", suffix: ".cpp").explore(arguments: ["uses"]).exits(with: 1)
            .prints("An assertion failed: get() != pointer()").prints("exits.cpp:65")
    }

    @Test func `after the main thread has ended, the last of the others ends the process, in any order`() throws {
        let program = try CProgram("last")
        try program.explore("--strategy", "dpor").exits(with: 0).prints("proved: none of 4 orders")
        try program.explore("--strategy", "dpor", arguments: ["handler"]).exits(with: 0)
            .prints("The program has called 'exit (by the last thread)'")
    }
}
