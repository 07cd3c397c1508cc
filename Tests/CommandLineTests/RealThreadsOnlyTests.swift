import Support
import Testing

/// Scenarios that the scheduler cannot run, and what each command says of them.
@Suite struct RealThreadsOnlyTests {
    @Test(
        arguments: [
            ["explore", "fork"], ["run", "fork", "--seed", "1"], ["run", "fork", "--controlled"],
            ["replay", "fork", "--schedule", "0"], ["play", "fork"],
        ])
    func `what needs the scheduler is refused with the reason`(words: [String]) throws {
        let ended = try Invocation(program: Programs.threadlab, arguments: words).wide.run().exits(with: 2)
        #expect(ended.errors.contains("fork exists on real threads only, because it needs a copy of a whole process"))
        #expect(ended.output.isEmpty)
    }

    @Test func `descriptions say it`() throws {
        try threadlab("show", "stack-size").wide.run().succeeds()
            .prints("On real threads only, because the scheduler gives every thread at least 8 MiB.")
            .doesNotPrint("explore")
        try threadlab("show", "--long").wide.run().succeeds().prints(
            "on stacks of different sizes. (on real threads only)")
        try threadlab("show", "--format", "json").run().succeeds().prints("\"realThreadsOnly\":\"because ")
    }

    @Test(arguments: [[], ["--controlled"], ["--native"]])
    func `a check makes native runs, whatever it does elsewhere`(options: [String]) throws {
        try Invocation(program: Programs.threadlab, arguments: ["check", "stack-size"] + options).wide.run().exits(
            with: 0
        )
        .prints("stack-size/too-small").prints("crash in 3 of 3 runs").prints("3 passed")
    }

    /// The child of a broken variant is killed, and none outlives the run. On a busy machine too, the lock is held for long when the child
    /// is made that must not get it, and one that ends by itself has the time for it.
    @Test(
        arguments: [
            ("lock-held", "--pause=1s --patience=400ms", "assertion"), ("exec", "--patience=5s", "completed"),
            ("at-fork", "--patience=5s", "completed"),
        ])
    func `a forked child ends with the run`(variant: String, times: String, outcome: String) throws {
        let words = ["run", "fork", "--variant", variant] + times.split(separator: " ").map(String.init)
        try Invocation(program: Programs.threadlab, arguments: words).wide.run().exits(with: 0)
            .prints("\n\(outcome): ")
    }

    /// Real threads, real processes and real signals show what the scheduler's models show.
    @Test(
        arguments: [
            ("kill-or-cancel", "killed", "deadlock: "), ("kill-or-cancel", "robust", "completed: "),
            ("distributed-lock", "owner-died", "assertion: "), ("distributed-lock", "broken-too-early", "assertion: "),
            ("distributed-lock", "owner-checked", "completed: "), ("signals", "lock-in-handler", "deadlock: "),
            ("signals", "own-thread", "completed: "), ("signals", "flag", "completed: "),
        ])
    func `models and the system agree`(scenario: String, variant: String, outcome: String) throws {
        // Long, so that a busy machine shows the same.
        try threadlab("run", scenario, "--variant", variant, "--native", "--pause", "300ms").wide.run().exits(with: 0)
            .prints(outcome)
    }
}
