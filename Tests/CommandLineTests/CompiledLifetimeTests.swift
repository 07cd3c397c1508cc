import Testing

/// What a compiled program uses when its time is over: descriptors that others close, and variables of threads that have ended.
@Suite struct CompiledLifetimeTests {
    @Test(arguments: ["file", "pipe", "poll", "select", "print", "doubled", "copied"])
    func `a descriptor that is closed while another thread uses it is a data race`(way: String) throws {
        let program = try CProgram("closed")
        let found = try program.explore(arguments: [way]).exits(with: 1).prints(
            "Data race: threads use and main access descriptor")
        try program.replays(found).prints("Data race: threads use and main access descriptor")
    }

    @Test(arguments: ["ordered", "joined", "numbers", "replaced"])
    func `and none if it is ordered, or only the number is used again`(way: String) throws {
        try CProgram("closed").explore("--runs", "200", arguments: [way]).exits(with: 0).prints("no finding: ")
    }

    @Test(arguments: ["beside", "joined", "left"])
    func `a variable of a thread that has ended is used by no other`(way: String) throws {
        try CProgram("gone").explore("--keep-going", arguments: [way]).exits(with: 1)
            .prints("uses a local variable of \(way == "left" ? "main" : "show"), which has ended")
    }

    @Test(arguments: ["join", "standard", "sleep", "semaphore", "yield", "condition", "main"])
    func `a local variable of a function that has returned is used by no other thread`(way: String) throws {
        let program = try CProgram("returned")
        let found = try program.explore(arguments: [way]).exits(with: 1)
            .prints("uses a local variable of main, whose function has returned")
        try program.replays(found).prints("uses a local variable of main, whose function has returned")
    }

    @Test func `a coroutine on a part of its thread's stack leaves the rest of it in use`() throws {
        try CProgram("coroutine").explore("--runs", "20").exits(with: 0).doesNotPrint("error: ")
            .doesNotPrint("Memory was lost")
    }

    @Test func `and one of a function that waits may be used`() throws {
        try CProgram("returned").explore().exits(with: 0).prints("proved: ")
    }

    @Test(arguments: ["ordered", "main"])
    func `and used before that by all`(way: String) throws {
        try CProgram("gone").explore(arguments: [way]).exits(with: 0).prints("proved: ")
    }

    @Test(arguments: [
        "post", "value", "end", "begin", "signal", "broadcast", "try", "lock", "destroy", "read", "spin", "pass",
    ])
    func `an object is not used after its memory was freed, though no step is between`(use: String) throws {
        try CProgram("vanished").explore(arguments: [use]).exits(with: 1)
            .prints("error: work uses memory that was freed: ").prints("block from vanished.c:46")
    }

    @Test func `an object that no thread uses any more can be freed`() throws {
        try CProgram("vanished").explore().exits(with: 0).prints("proved: none of 2 orders")
    }

    @Test(arguments: ["private", "shared", "moved", "unmapped", "last"])
    func `memory that an execution maps is new and at the same place in each`(how: String) throws {
        let program = try CProgram("mapped")
        try program.explore(arguments: [how]).exits(with: 0).prints("proved: none of 2 orders")
        try program.alone([how]).exits(with: 0)
    }

    @Test func `memory that threads map at the same time is at the same place in each order`() throws {
        try CProgram("mapped").explore(arguments: ["own"]).exits(with: 0).prints("proved: none of ")
    }

    @Test func `in mapped memory, data races are found, and uses after it is given back`() throws {
        let program = try CProgram("mapped")
        try program.explore(arguments: ["race"]).exits(with: 1).prints("race: Data race: ")
        try program.explore(arguments: ["early"]).exits(with: 1).prints("crash: add crashed at mapped.c:29: it ")
    }

    @Test func `what threadlab cannot follow is no failure that the program sees`() throws {
        let program = try CProgram("many")
        try program.explore("--time", "10s", arguments: ["threads"]).exits(with: 1)
            .prints("starts a thread more than the 256 of an execution")
        try program.explore(arguments: ["memory"]).exits(with: 1)
            .prints("allocates more than the 16 GB of a thread's execution")
        try program.threadlab(["run", "./many", "--", "freed"]).exits(with: 0).prints("completed: ")
        try program.explore(arguments: ["absurd"]).exits(with: 0).prints("proved: ")
    }
}
