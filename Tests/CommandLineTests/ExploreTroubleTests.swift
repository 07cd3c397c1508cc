import Glibc
import Testing

/// Searches of programs that die, hang, or behave differently when repeated; and searches that are interrupted.
@Suite struct ExploreTroubleTests {
    @Test(arguments: [("crash", "crash"), ("quit", "crash"), ("hang", "timeout")])
    func `a program that dies in some interleavings is searched, and the interleaving is reported`(
        variant: String, outcome: String
    ) throws {
        // Each run that hangs takes more than a second, on a busy machine much more, and the schedule is shrunk in 15 of them.
        let words = ["explore", "mishap", "--variant", variant, "--step-time", "200ms", "--time", "1h"]
        let search = try plugin(words).wide.run().exits(with: 0)
            .prints("\(outcome): The ").prints("search: 1 finding in 2 executions").prints(
                "Shrunk to 4 steps and 0 preemptions")
        let line = try #require(search.output.split(separator: "\n").first { $0.hasPrefix("  Replay: ") })
        let replay = line.split(separator: " ").dropFirst(2).map(String.init) + ["--timeout", "2s"]
        try plugin(replay).run().exits(with: 0).prints("\(outcome): The ")
    }

    @Test func `a program that exits successfully by itself is reported as in a run`() throws {
        try plugin("explore", "trouble", "--variant", "leave").wide.run().exits(with: 1)
            .prints("crash: The program quit with status 0 before the scenario had finished.").prints(
                "search: 1 finding in "
            )
            .doesNotPrint("ended differently")
    }

    @Test(arguments: ["dpor", "dfs", "random"]) func `the search continues after a crash`(strategy: String) throws {
        let outputs = try ["1", "2"].map { jobs in
            try plugin(
                "explore", "mishap", "--variant", "crash-twice", "--keep-going", "--strategy", strategy, "--runs",
                "300",
                "--jobs", jobs
            ).wide.run().exits(with: 0).prints("search: 2 findings").prints("SIGABRT").output
        }
        #expect(outputs[0] == outputs[1])
    }

    @Test(arguments: [[], ["--keep-going"]]) func `a program that dies before its first step is reported once`(
        words: [String]
    ) throws {
        let arguments = ["explore", "mishap", "--variant", "at-once"] + words
        try Invocation(program: Programs.plugin, arguments: arguments).wide.run().exits(with: 0)
            .prints("crash: The program crashed").prints("Found in execution 1, with 0 steps")
    }

    @Test func `a crash is counted among the outcomes`() throws {
        try plugin("explore", "mishap", "--outcomes").wide.run().succeeds().prints("completed  winner=1")
            .prints("crash ").prints("All 2 orders were tried")
    }

    @Test(arguments: ["clock", "leftover"]) func `a program that behaves differently when repeated is reported`(
        variant: String
    ) throws {
        try plugin("explore", "mishap", "--variant", variant).wide.run().exits(with: 1).isSilent()
            .prints(
                "not repeatable: an execution was repeated with the same choices, and step 1 was different: 'store'")
    }

    @Test func `the order of sets is the same in every process`() throws {
        let schedules = try (1...3).map { _ in
            try plugin("run", "mishap", "--variant", "hash-order", "--seed", "3", "--format", "json").run().succeeds()
                .output
        }
        #expect(Set(schedules).count == 1)
        try plugin("explore", "mishap", "--variant", "hash-order").run().succeeds().prints("proved: ")
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `an interruption leaves no process, and the results so far are reported`(
        number: Int32
    ) throws {
        let words = ["explore", "mishap", "--variant", "tells", "--time", "1h"]
        try Invocation(program: Programs.plugin, arguments: words)
            .whenItSays("searching") { $0.signal(number) }.run().exits(with: 128 + number)
            .prints("interrupted: no finding in ")
    }

    @Test func `a process that is killed takes its searchers with it`() throws {
        let words = ["explore", "mishap", "--variant", "tells", "--time", "1h"]
        try Invocation(program: Programs.plugin, arguments: words)
            .whenItSays("searching") { $0.signal(SIGKILL) }.run().dies(of: SIGKILL)
    }
}
