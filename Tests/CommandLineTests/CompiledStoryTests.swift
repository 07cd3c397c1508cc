import Testing

/// What reports say of compiled programs in which only some threads have to do with the finding.
@Suite struct CompiledStoryTests {
    @Test func `a thread that waits for one that can continue is not behind a deadlock`() throws {
        let report = try CProgram("behind").explore("--strategy", "random").exits(with: 1)
            .prints("deadlock: one and two wait for each other").doesNotPrint("Behind them")
        let last = try #require(report.output.split(separator: "\n").first { $0.hasSuffix("blocked forever") })
        #expect(last.count { $0 == "✗" || $0 == "X" } == 2)
    }

    @Test func `a lock is held for long by a thread that sleeps, not by one beside which another sleeps`() throws {
        let program = try CProgram("sleeps")
        try program.explore().exits(with: 0).prints("proved: ").doesNotPrint("TL405")
        try program.explore(arguments: ["holds"]).exits(with: 0)
            .prints(" held mutex for 2 s, and others had to wait.")
    }

    @Test func `many threads have narrow rows, also in a file`() throws {
        let report = try CProgram("crowd").explore("--strategy", "random").exits(with: 1)
            .prints("access counter without synchronization")
        let widest = report.output.split(separator: "\n").map(\.count).max() ?? 0
        #expect((80...165).contains(widest))
    }

    @Test func `a result that is ready at the end of a thread is ordered`() throws {
        let program = try CProgram("at_end", suffix: ".cpp")
        try program.explore().exits(with: 0).prints("no finding: in ")
        try program.explore(arguments: ["fails"]).exits(with: 0).prints("no finding: in ")
    }
}
