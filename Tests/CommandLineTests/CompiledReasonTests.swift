import Testing

/// Why something went wrong in a compiled program: what reports say of it beyond the place.
@Suite struct CompiledReasonTests {
    @Test func `memory that is freed is one row, and the race says who frees it while who uses it`() throws {
        let report = try CProgram("counted").explore("--keep-going", arguments: ["early"]).exits(with: 1)
            .doesNotPrint("make it atomic").doesNotPrint("accesses of block")
        #expect(report.output.contains("free block from counted.c:") && report.output.contains(" frees block from"))
        #expect(report.output.contains("Free it after the last use: "))
    }

    @Test func `a decrement that releases only is the reason why a free races`() throws {
        let program = try CProgram("counted")
        try program.explore().exits(with: 0)
        try program.explore(arguments: ["release"]).exits(with: 1)
            .prints("but it reads with release only, which acquires nothing.").prints("with acq_rel.")
            .doesNotPrint("make the plain accesses")
    }

    @Test func `a null pointer is named, with its address and the thread that set it`() throws {
        let report = try CProgram("nulled").explore().exits(with: 1)
            .prints("crash: reader crashed at nulled.c:28: it ").prints(" through a null pointer, at address 0x4.")
            .prints("closer sets active to null at nulled.c:19.")
        report.prints("reader reads that null at nulled.c:28, and uses it as a pointer.")
    }

    @Test func `a failed assertion has the values of the variables that it names`() throws {
        try CProgram("nulled").explore(arguments: ["asserted"]).exits(with: 1)
            .prints("An assertion failed: closed == 0 && active: closed is 3")
    }

    @Test func `an exception that nothing catches has its type and text in each format`() throws {
        let program = try CProgram("thrown", suffix: ".cpp")
        let says = "it did not catch an exception: std::out_of_range: no such item."
        try program.explore().exits(with: 1).prints(says)
        try program.explore("--format", "json").exits(with: 1).prints(says)
        try program.explore(arguments: ["number"]).exits(with: 1).prints("it did not catch an exception: int.")
    }

    @Test func `a barrier says how many of its threads have come`() throws {
        try CProgram("short").explore().exits(with: 1)
            .prints(" wait for barrier: 3 of 4 threads have come, and no other is left to come.")
            .prints("until 4 threads have come")
    }
}
