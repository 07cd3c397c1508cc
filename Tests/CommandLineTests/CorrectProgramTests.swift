import Testing

/// Twenty correct programs in C and C++, which are also measured (`make bench`).
@Suite struct CorrectProgramTests {
    @Test(arguments: [
        "buffer", "c11", "cleanup", "keys", "list", "once", "peterson", "phases", "philosophers", "pool", "readers",
        "sequence", "stack", "ticket", "timed",
    ])
    func `of a correct program in C there is no finding`(name: String) throws {
        try CProgram(name, in: "correct/").explore("--runs", "50").exits(with: 0)
    }

    @Test(arguments: ["lazy", "meeting", "result", "shared", "stopped"])
    func `of a correct program in C++ there is no finding`(name: String) throws {
        try CProgram(name, in: "correct/", suffix: ".cpp").explore("--runs", "50").exits(with: 0)
    }
}
