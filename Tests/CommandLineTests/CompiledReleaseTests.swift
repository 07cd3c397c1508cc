import Testing

/// What a compiled program gives back, and what takes its place at once.
@Suite struct CompiledReleaseTests {
    @Test(arguments: ["condition", "semaphore", "mutex", "shared"])
    func `what is freed as soon as POSIX allows it is no longer used`(what: String) throws {
        try CProgram("released").explore("--runs", "400", arguments: [what])
            .exits(with: 0).prints("no finding: in ")
    }

    @Test func `a condition that is used after it was freed is a finding`() throws {
        try CProgram("released").explore(arguments: ["late"])
            .exits(with: 1).prints("main uses memory that was freed: *condition (block from released.c:107)").prints(
                "Found in execution")
    }

    @Test(arguments: ["alone", "joined"])
    func `threads that allocate and free much take no steps for that, and are proved`(way: String) throws {
        try CProgram("busyheap").explore(arguments: [way]).exits(with: 0).prints("proved: none of 2 orders")
            .prints("30 steps")
    }

    @Test(arguments: ["byte", "block"])
    func `and a block that one of them frees while another uses it is found`(way: String) throws {
        try CProgram("busyheap").explore(arguments: [way]).exits(with: 1).prints("block from busyheap.c:32")
    }

    @Test func `and so is one that is used after it was destroyed`() throws {
        try CProgram("released").explore(arguments: ["destroyed"]).exits(with: 1)
            .prints("main uses changed, which was destroyed").prints("Found in execution")
    }

    @Test(arguments: ["again", "freed"])
    func `a barrier is made again, or freed, after a round that a handler interrupts`(way: String) throws {
        try CProgram("rounds").explore("--runs", "400", arguments: [way]).exits(with: 0)
            .prints("no finding: in ")
    }

    @Test(arguments: ["replaces", "ends"])
    func `a descriptor is closed and used again in one step`(way: String) throws {
        let program = try CProgram("copies")
        try program.explore(arguments: [way]).exits(with: 0).prints("no finding: in ")
        try program.alone([way]).succeeds()
    }

    @Test func `what constructors block is blocked for the program alone`() throws {
        let program = try CProgram("blocked")
        try program.explore().exits(with: 0).prints("proved: the only order passes, under any memory model.")
        try program.alone().succeeds()
    }
}
