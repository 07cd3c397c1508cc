import Testing

/// What a program shares without naming it: memory of the C library, thread-local variables by their addresses, random numbers of the system.
@Suite struct CompiledCommonTests {
    @Test(arguments: [
        ("gmtime", "result of gmtime()"), ("ctime", "result of ctime()"), ("strtok", "state of strtok()"),
        ("lrand48", "state of drand48()"), ("setenv", "environment of getenv()"), ("late", "result of gmtime()"),
    ])
    func `threads that call what shares memory of the C library have a data race`(which: String, object: String) throws
    {
        let common = try CProgram("common")
        let race = try common.explore(arguments: [which]).exits(with: 1).prints("race: Data race: threads ").prints(
            object)
        try common.replays(race).prints("race: Data race: threads ")
    }

    @Test(arguments: ["gmtime_r", "getenv", "locked", "memchr"])
    func `threads that share nothing, or read it, or lock it, have none`(which: String) throws {
        try CProgram("common").explore("--keep-going", arguments: [which]).exits(with: 0).doesNotPrint("race: ")
    }

    @Test func `the order in which threads draw random numbers from one sequence is searched`() throws {
        let common = try CProgram("common")
        try common.explore(arguments: ["rand"]).exits(with: 0).prints("proved: none of 2 orders fails")
        try common.explore(arguments: ["first"]).exits(with: 1).prints("Fatal error: signal 6")
    }

    @Test(arguments: [CProgram.clang, "gcc"])
    func `a thread-local variable of a thread that has ended is not used`(compiler: String) throws {
        let ended = try CProgram("outlived", compiler: compiler)
        let text = "error: look uses a thread-local variable of have, which has ended."
        try ended.explore(arguments: ["joined"]).exits(with: 1).prints(text)
        try ended.replays(try ended.explore().exits(with: 1).prints("have, which has ended.")).prints(
            "which has ended.")
        try ended.explore(arguments: ["waits"]).exits(with: 0).prints("proved: ")
    }

    @Test func `a thread that can be cancelled at any moment can be so while it holds a lock`() throws {
        let swaps = try CProgram("swaps")
        try swaps.explore(arguments: ["asynchronous"]).exits(with: 1).prints("deadlock: ")
        try swaps.explore().exits(with: 0)
    }

    @Test(arguments: ["getrandom", "getentropy", "call", "device", "open", "fopen"])
    func `random numbers of the system are the same in each execution`(which: String) throws {
        let draws = try CProgram("draws", suffix: ".cpp")
        try draws.explore(arguments: [which]).exits(with: 0).doesNotPrint("not repeatable")
            .prints("No proof: ")
        let first = try draws.explore(arguments: [which, "code"]).exits(with: 1).output
        #expect(try draws.explore(arguments: [which, "code"]).exits(with: 1).output == first)
    }
}
