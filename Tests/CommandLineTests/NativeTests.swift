import Testing

/// Runs on real threads.
@Suite struct NativeTests {
    /// Each thread takes its mutex, and continues when all have theirs: real threads cannot miss each other.
    private static let cycle = """
        scenario "cycle"
        parameter size = 1 in 1...5
        mutex m[size]
        barrier met(size)
        thread t[size] {
            lock m[index] {
                met.wait()
                lock m[(index + 1) % size] { note "never" }
            }
        }
        expect deadlock

        """

    @Test(arguments: 1...5) func `a deadlock is found and told long before the time is up`(size: Int) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("cycle.lab", Array(Self.cycle.utf8))
        // An hour is longer than the test's own patience.
        try threadlab("run", file, "--size", "\(size)", "--timeout", "1h").run().succeeds()
            .prints("deadlock: ").prints("cycle.lab:").prints("As expected: ").doesNotPrint("run.timeout")
    }

    @Test func `a built-in scenario's deadlock is found and told`() throws {
        try threadlab("run", "deadlock", "--variant", "self", "--timeout", "1h").run().succeeds()
            .prints("deadlock: ").prints(" (taken at Deadlock.swift:").prints("As expected: ")
            .doesNotPrint("run.timeout")
    }

    @Test func `the process really exits, and the file holds what was saved by then`() throws {
        let detached = try threadlab("run", "shutdown", "--variant", "detached", "--pause", "100ms").run().succeeds()
            .prints("run.exit").prints("of 5 records saved")
        // Where main is late, the writer has saved all.
        if !detached.output.contains("5 of 5 records saved") {
            detached.prints("thread.cut-off").prints("assertion: ")
        }
        try threadlab("run", "shutdown", "--variant", "joinable").run().succeeds().prints("5 of 5 records saved")
        try threadlab("run", "shutdown", "--variant", "forgotten-join").run().succeeds().prints("leak: ")
    }

    @Test func `time begins with the run`() throws {
        // However busy the machine: the run is a part of what the test waits for. The system's own clock started long
        // before.
        let clock = ContinuousClock()
        let begin = clock.now
        let run = try threadlab("run", "deadlock", "--format", "json").run().succeeds()
        let duration = clock.now - begin
        let times = run.output.matches(of: /"t":(\d+),/).compactMap { Int($0.output.1) }
        #expect(try #require(times.last) > 0)
        #expect(Duration.nanoseconds(try #require(times.last)) < duration)
    }
}
