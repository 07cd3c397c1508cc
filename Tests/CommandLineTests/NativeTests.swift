import Testing

/// Runs on real threads.
@Suite struct NativeTests {
    @Test(arguments: ["self", "opposite-orders", "ring", "philosophers"])
    func `a deadlock is found and told long before the time is up`(variant: String) throws {
        // Nobody can promise that real threads meet in the middle; the long pause makes it all but sure.
        let run = try threadlab("run", "deadlock", "--variant", variant, "--pause", "200ms", "--timeout", "25s").run()
            .succeeds().prints("deadlock: ").prints(" since Deadlock.swift:").prints("As expected: ")
        #expect(!run.output.contains("run.timeout"))
    }

    @Test func `the process really exits, and the file holds what was saved by then`() throws {
        try threadlab("run", "shutdown", "--variant", "detached", "--pause", "100ms").run().succeeds()
            .prints("run.exit").prints("thread.cut-off").prints("of 5 records saved").prints("assertion: ")
        try threadlab("run", "shutdown", "--variant", "joinable").run().succeeds().prints("5 of 5 records saved")
        try threadlab("run", "shutdown", "--variant", "forgotten-join").run().succeeds().prints("leak: ")
    }

    @Test func `time begins with the run`() throws {
        let run = try threadlab("run", "deadlock", "--format", "json").run().succeeds()
        let first = try #require(run.output.firstMatch(of: /"n":1,"t":(\d+),/)).output.1
        // Half a second is a lot, and less than a process could ever lose between fork and run.
        #expect(Int(first)! < 500_000_000)
    }
}
