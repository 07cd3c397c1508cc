import Testing

/// What a compiled program uses when its time is over: descriptors that others close, and variables of threads that have ended.
@Suite struct CompiledLifetimeTests {
    @Test(arguments: ["file", "pipe", "poll", "select", "print", "doubled"])
    func `a descriptor that is closed while another thread uses it is a data race`(way: String) throws {
        let program = try CProgram("closed")
        let found = try program.explore(arguments: [way]).exits(with: 1).prints(
            "Data race: threads use and main access descriptor")
        try program.replays(found).prints("Data race: threads use and main access descriptor")
    }

    @Test(arguments: ["ordered", "joined", "numbers", "replaced"])
    func `and none if it is ordered, or only the number is used again`(way: String) throws {
        try CProgram("closed").explore("--executions", "200", arguments: [way]).exits(with: 0).prints("no finding: ")
    }

    @Test(arguments: ["beside", "joined", "left"])
    func `a variable of a thread that has ended is used by no other`(way: String) throws {
        try CProgram("gone").explore("--keep-going", arguments: [way]).exits(with: 1)
            .prints("uses a local variable of \(way == "left" ? "main" : "show"), which has ended")
    }

    @Test(arguments: ["ordered", "main"])
    func `and used before that by all`(way: String) throws {
        try CProgram("gone").explore(arguments: [way]).exits(with: 0).prints("proved: ")
    }
}
