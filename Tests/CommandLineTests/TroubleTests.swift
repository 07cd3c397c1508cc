import Testing

/// A plugin whose scenario misbehaves on both runtimes: its run ends, and its trace shows what it did.
@Suite struct TroubleTests {
    private func run(_ variant: String, _ runtime: String, _ more: String...) throws -> Ended {
        try Invocation(
            program: Programs.plugin,
            arguments: ["run", "trouble", "--variant", variant, runtime, "--timeout", "20s"] + more
        ).run().isSafeToShow()
    }

    @Test func `a plugin has the whole command line, with its scenario beside the others`() throws {
        try plugin("show", "--long").run().succeeds().prints("deadlock: ").prints("\n  trouble: ").prints(
            "'lab-plugin show NAME'")
        try plugin("show", "trouble").run().succeeds().prints("Source: ").prints("lab-plugin run trouble")
        try plugin("run", "trouble").run().succeeds().prints("completed: ")
        try plugin("help", "run", "trouble").run().succeeds().prints("--steps N")
        let wrong = try plugin("run", "truble").run().exits(with: 2)
        #expect(wrong.errors == "lab-plugin: unknown scenario 'truble': did you mean 'trouble'?\n")
    }

    @Test(arguments: InterruptionTests.runtimes) func `a crash is reported with its signal, and the trace up to it`(
        runtime: String
    ) throws {
        let crash = try run("crash", runtime).exits(with: 1).prints("mutex.release").prints("run.crash")
        #expect(crash.output.contains("SIGILL") || crash.output.contains("SIGTRAP"))
        #expect(crash.errors.contains("Index out of range") && crash.errors.split(separator: "\n").count == 1)
        try run("abort", runtime).exits(with: 1).prints("crash: The program crashed (SIGABRT).").isSilent()
    }

    @Test(arguments: InterruptionTests.runtimes) func `a hang is ended and told`(runtime: String) throws {
        try plugin("run", "trouble", "--variant", "busy", runtime, "--timeout", "500ms").run().exits(with: 1)
            .prints("timeout: The run was still going after 500 ms")
    }

    @Test(arguments: InterruptionTests.runtimes) func `a wait that no thread ends is found at once`(runtime: String)
        throws
    {
        try run("semaphore", runtime).exits(with: 1).isSilent()
            .prints("deadlock: worker waits for a permit of never that no remaining thread can give.").prints(
                "worker waits for semaphore never at")
    }

    @Test func `a wait beside a thread that sleeps on is given up`() throws {
        // The progress of real threads by then is unknown: `SupervisorTests` examine their reports.
        try plugin("run", "trouble", "--variant", "sleeper", "--timeout", "200ms").run().exits(with: 1)
            .prints("timeout: The run was still going after 200 ms")
        try run("sleeper", "--controlled", "--max-steps", "100").exits(with: 1)
            .prints("timeout: The run did not end within 100 steps").prints("sleeper was asleep at")
    }

    @Test(arguments: InterruptionTests.runtimes) func `a thread that ignores the end is abandoned`(runtime: String)
        throws
    {
        try run("swallow", runtime).exits(with: 1).prints("thread.create").prints(
            "error: fails ended with an error that it did not catch: the worker broke␊into")
    }

    @Test(arguments: InterruptionTests.runtimes) func `a scenario that exits by itself is reported`(runtime: String)
        throws
    {
        try run("quit", runtime).exits(with: 1).isSilent().prints("mutex.release")
            .prints("crash: The program quit with status 7 before the scenario had finished.")
        try run("leave", runtime).exits(with: 1).prints("mutex.release")
            .prints("crash: The program quit with status 0 before the scenario had finished.")
    }

    @Test(arguments: InterruptionTests.runtimes) func `what a scenario prints stays out of the report`(runtime: String)
        throws
    {
        let prints = try run("prints", runtime, "--format", "json").exits(with: 0).printsJSONLines()
        #expect(prints.errors == "hello from the scenario\n")
    }

    @Test(arguments: InterruptionTests.runtimes) func `an uncaught error is reported`(runtime: String) throws {
        try run("error", runtime).succeeds()
            .prints("error: worker ended with an error that it did not catch: ").prints("\u{241B}[31mtwo\u{241B}[0m")
    }

    @Test(arguments: InterruptionTests.runtimes) func `a misuse is reported`(runtime: String) throws {
        try run("misuse", runtime).exits(with: 1).isSilent().prints(
            "misuse: worker unlocked a lock that it does not hold."
        )
        .prints("thread.create")
    }

    @Test(arguments: InterruptionTests.runtimes) func `ten thousand events are no trouble`(runtime: String) throws {
        let many = try run("many", runtime, "--all").succeeds()
        #expect(many.lines.filter { $0.contains("atomic.update") }.count == 10_000)
    }

    @Test(arguments: InterruptionTests.runtimes) func `hostile names are shown, not obeyed`(runtime: String) throws {
        for format in ["text", "lanes", "json", "none"] {
            try run("hostile-name", runtime, "--format", format).exits(with: 1).isSilent()
        }
        try run("hostile-name", runtime).prints("a␛[31m␊b\\u{202e}␇c")
    }

    @Test func `threads of a forked process meet in the first use of a constant, and continue`() throws {
        try run("first-use", "--native", "--timeout", "10s").succeeds().prints("completed: ")
    }
}
