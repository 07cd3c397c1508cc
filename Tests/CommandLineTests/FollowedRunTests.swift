import Testing

/// `run --follow`: a run on real threads, shown while it runs. On a whole screen: Tests/Screen.
@Suite struct FollowedRunTests {
    private static let deadlock = ["run", "deadlock", "--variant", "self", "--follow"]
    private static let slow = "run trouble --variant sleeper --timeout 300ms --follow --color never"

    /// The command on a terminal, which `script` provides. Both outputs are one there.
    private func onTerminal(_ type: String, _ program: String, _ arguments: String) throws -> Ended {
        let invocation = Invocation(
            program: "/usr/bin/script", arguments: ["-qec", "\(program) --no-pager \(arguments)", "/dev/null"])
        return try invocation.with("TERM", type).with("SHELL", "/bin/sh").run()
    }

    @Test func `without a terminal the steps are lines on standard error, and the end is the report`() throws {
        let run = try Invocation(program: Programs.threadlab, arguments: Self.deadlock).run()
        run.prints("deadlock: ").doesNotPrint("mutex.wait").doesNotPrint("\u{1B}")
        #expect(run.output.hasPrefix("deadlock: "))
        #expect(run.errors.contains(#/ 0\.\d{3}  .* lock /#))
        #expect(run.errors.contains(#/ 0\.\d{3}  .* waits for /#) && !run.errors.contains("\u{1B}"))
    }

    @Test func `a format that is given is printed too`() throws {
        let run = try Invocation(program: Programs.threadlab, arguments: Self.deadlock + ["--format", "json"]).run()
        #expect(run.output.hasPrefix("{") && run.errors.contains("waits for "))
    }

    @Test func `on a terminal the threads are erased before the report`() throws {
        let run = try onTerminal("xterm", Programs.plugin, Self.slow)
        run.prints(" worker ").prints("waits for semaphore never").prints("\u{1B}[K")
        let report = try #require(run.output.split(separator: "\u{1B}[J").last)
        #expect(report.contains("timeout: The run was still going after 300 ms"))
        #expect(!report.contains(" 3 events"))
    }

    @Test func `what the scenario prints is shown above the threads`() throws {
        try onTerminal("xterm", Programs.plugin, "run mishap --variant at-once --follow").prints("Fatal error: at once")
    }

    @Test func `a terminal that can rewrite nothing is sent no control sequences`() throws {
        try onTerminal("dumb", Programs.threadlab, Self.deadlock.joined(separator: " "))
            .prints("waits for ").doesNotPrint("\u{1B}")
    }

    @Test func `a reader that has gone away does not end the run`() throws {
        let call = Self.deadlock.joined(separator: " ")
        let run = try Invocation(
            program: "/bin/sh",
            arguments: [
                "-c",
                "exec 3>&1; { \(Programs.threadlab) \(call) 2>&1 >&3; echo code $? >&3; } | true",
            ]
        ).run()
        run.prints("deadlock: ").prints("code 0")
    }
}
