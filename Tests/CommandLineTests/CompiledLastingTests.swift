import Testing

/// Compiled programs that change what the next execution finds.
@Suite struct CompiledLastingTests {
    @Test func `what outlasts an execution is named if another one differs, and so is what differs first`() throws {
        try CProgram("lasting").explore().exits(with: 1)
            .prints(
                "not repeatable: an execution was repeated with the same choices, and step 1 was different: 'spawn' by thread 0 at "
                    + "lasting.c:27 the first time, 'exit'"
            )
            .prints("The program calls 'setrlimit' at lasting.c:24, whose effect outlasts an execution")
            .doesNotPrint("dates, addresses, random numbers")
    }

    // One process: another one could remove the file in between, so that the execution repeats.
    @Test func `so is a file that it makes`() throws {
        try CProgram("lasting").explore("--jobs", "1", arguments: ["file"]).exits(with: 1).prints("not repeatable: ")
            .prints("The program calls 'open' at lasting.c:18, whose effect outlasts an execution")
    }

    @Test func `so are the groups of the process`() throws {
        try CProgram("lasting").explore("--jobs", "1", arguments: ["groups"]).exits(with: 1).prints("not repeatable: ")
            .prints("The program calls 'setgroups' at lasting.c:13, whose effect outlasts an execution")
    }
}
