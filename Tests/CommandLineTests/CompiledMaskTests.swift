import Testing

/// Masks of signals in compiled programs, handlers as System V has them, and timers.
@Suite struct CompiledMaskTests {
    /// The headers of C without extensions declare `signal` as `__sysv_signal`.
    private static let withoutExtensions = ["-std=c11", "-D_POSIX_C_SOURCE=200809L"]

    @Test func `a handler of System V is called once`() throws {
        let program = try CProgram("masks", flags: Self.withoutExtensions)
        try program.explore(arguments: ["once"]).exits(with: 0).prints("no finding: in 1 execution")
        try program.explore(arguments: ["twice"]).exits(with: 1).prints("Fatal error: signal 10")
        try program.alone(["once"]).succeeds()
    }

    @Test(arguments: ["read", "written"])
    func `a mask is an access of the set that it is read from or written to`(way: String) throws {
        try CProgram("masks").explore(arguments: [way]).exits(with: 1)
            .prints("Data race: threads main and fill ").prints(" shared without synchronization.")
    }

    @Test func `and none if a lock orders them`() throws {
        try CProgram("masks").explore(arguments: ["ordered"]).exits(with: 0).prints("no finding: ")
    }

    @Test func `a timer that sends a signal is refused or never over`() throws {
        let program = try CProgram("masks")
        try program.explore(arguments: ["timer"]).exits(with: 1).prints("timer_create")
        try program.explore(arguments: ["alarm"]).exits(with: 0).prints("no finding: in 1 execution")
        try program.explore(arguments: ["handled"]).exits(with: 1)
            .prints("has a timer and handles its signal, which threadlab does not support")
    }

    @Test func `functions by other names are switched off`() throws {
        let program = try CProgram("channels", flags: ["-O2", "-D_FORTIFY_SOURCE=2"])
        try program.explore("--runs", "20", arguments: ["one"]).exits(with: 0)
            .prints("No proof: The program has called 'pipe'")
    }
}
