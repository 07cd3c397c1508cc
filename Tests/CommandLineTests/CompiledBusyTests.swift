import Support
import Testing

/// Compiled programs that compute for long, take very many steps, or use much memory.
@Suite struct CompiledBusyTests {
    @Test func `time passes for a thread that reads nothing but the clock`() throws {
        try CProgram("busy").explore(arguments: ["time"]).exits(with: 0)
            .prints("proved: the only order passes, under any memory model.")
    }

    @Test func `little time passes for a thread that works between two looks at the clock`() throws {
        try CProgram("busy").explore(arguments: ["serves"]).exits(with: 0)
            .prints("proved: the only order passes, under any memory model.")
    }

    @Test func `a thread that computes for long pauses`() throws {
        try CProgram("busy").explore(arguments: ["computes"]).exits(with: 0)
            .prints("proved: the only order passes, under any memory model.")
    }

    @Test func `a loop that writes until another thread stops it does not hide that thread`() throws {
        try CProgram("busy").explore(arguments: ["stopped"]).exits(with: 1).prints(
            "access stop without synchronization")
    }

    @Test func `accesses of megabytes that no two threads share take no steps`() throws {
        try CProgram("fills").explore().exits(with: 0)
            .prints("proved: the only order passes, under any memory model. All were run: 1 execution, 4 steps,")
    }

    @Test func `variables that nothing uses cost no memory`() throws {
        try CProgram("pages").explore().exits(with: 0)
            .prints("proved: the only order passes, under any memory model.")
    }

    /// How many mappings of memory the system allows a process: 65,530 unless it was told otherwise.
    private static let mostMappings =
        (Files.text("/proc/sys/vm/max_map_count")?.split(separator: "\n").first).flatMap { Int($0) } ?? 65_530

    /// Every other page is a mapping of its own.
    @Test(
        .enabled(if: mostMappings <= 262_144, "the program's table has too few pages to reach the system's limit"),
        .enabled(if: Extent.isWhole, "it takes ten seconds"))
    func `a limit of threadlab ends an execution by its name`() throws {
        try CProgram("pages").explore(arguments: ["\(Self.mostMappings / 2 + 1)", "2"]).exits(with: 1)
            .prints("than threadlab can put back").prints("pages.c:12").doesNotPrint("crash")
    }

    @Test func `a race is found in an execution of too many steps, and is shown until soon after it`() throws {
        let program = try CProgram("long_race")
        let report = try program.explore("--max-steps", "5000").exits(with: 1)
            .prints("race: Data race: threads main and work write flag without synchronization.")
            .prints("search: 1 finding in 1 execution, 5000 steps, the longest execution 5000.")
            .doesNotPrint("No proof")
        let steps = try #require(report.output.firstMatch(of: /Replay: threadlab replay .+ --max-steps (\d+)/)).output.1
        #expect(try #require(Int(steps)) < 40)
        try program.replays(report).prints("race: Data race: threads main and work write flag")
    }

    @Test func `a search that continues after it is no proof, and says how many executions did not end`() throws {
        let words = ["--max-steps", "5000", "--keep-going", "--strategy", "random", "--runs", "20"]
        let program = try CProgram("long_race")
        try program.threadlab(["explore", program.path] + words).exits(with: 1)
            .prints("race: Data race: threads main and work write flag without synchronization.")
            .prints("search: 1 finding in 20 executions, 100000 steps, the longest execution 5000.")
            .prints(
                "No proof: 20 of 20 executions did not end within 5,000 steps; --max-steps 50000 allows more.")
    }

    @Test func `an execution that was cut off has not ended`() throws {
        try CProgram("long_race").explore("--max-steps", "3", "--runs", "5").exits(with: 1)
            .prints("undecided: the only execution did not end within 3 steps.")
    }
}
