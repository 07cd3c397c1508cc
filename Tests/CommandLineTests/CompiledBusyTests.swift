import Support
import Testing

/// Compiled programs that compute for long, take very many steps, or use much memory.
@Suite struct CompiledBusyTests {
    @Test func `time passes for a thread that reads nothing but the clock`() throws {
        try CProgram("busy").explore(arguments: ["time"]).exits(with: 0).prints("proved: the only order passes")
    }

    @Test func `little time passes for a thread that works between two looks at the clock`() throws {
        try CProgram("busy").explore(arguments: ["serves"]).exits(with: 0).prints("proved: the only order passes")
    }

    @Test func `a thread that computes for long pauses`() throws {
        try CProgram("busy").explore(arguments: ["computes"]).exits(with: 0).prints("proved: ")
    }

    @Test func `a loop that writes until another thread stops it does not hide that thread`() throws {
        try CProgram("busy").explore(arguments: ["stopped"]).exits(with: 1).prints(
            "access stop without synchronization")
    }

    @Test func `accesses of megabytes that no two threads share take no steps`() throws {
        try CProgram("fills").explore().exits(with: 0).prints("proved: the only order passes").prints("4 steps")
    }

    @Test func `variables that nothing uses cost no memory, and a limit of threadlab ends an execution by its name`()
        throws
    {
        let program = try CProgram("pages")
        try program.explore().exits(with: 0).prints("proved: the only order passes")
        // Every other page is a mapping of its own for the system, and it allows 65,530 of them unless it was told otherwise.
        let most =
            (Files.text("/proc/sys/vm/max_map_count")?.split(separator: "\n").first).flatMap { Int($0) } ?? 65_530
        guard most <= 262_144 else { return }
        try program.explore(arguments: ["\(most / 2 + 1)", "2"]).exits(with: 1)
            .prints("than threadlab can put back").prints("pages.c:12").doesNotPrint("crash")
    }

    @Test func `a race is found in an execution of too many steps, and is shown until soon after it`() throws {
        let program = try CProgram("long_race")
        let report = try program.explore("--max-steps", "5000").exits(with: 1)
            .prints("race: Data race: threads main and work write flag without synchronization.")
        let steps = try #require(report.output.firstMatch(of: /Replay: threadlab replay .+ --max-steps (\d+)/)).output.1
        #expect(try #require(Int(steps)) < 40)
        try program.replays(report).prints("race: Data race: threads main and work write flag")
    }

    @Test func `an execution that was cut off has not ended`() throws {
        try CProgram("long_race").explore("--max-steps", "3", "--executions", "5").exits(with: 1)
            .prints("undecided: the only execution did not end within 3 steps.")
    }
}
