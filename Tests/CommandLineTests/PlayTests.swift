import Glibc
import Support
import Testing

/// `play --plain`: a conversation, one command a line.
@Suite struct PlayTests {
    static let deadlock = Repository.root + "/scenarios/deadlock/opposite-orders.lab"

    /// What it answers to these lines.
    private func play(_ words: [String], _ lines: String...) throws -> Ended {
        let directory = try TemporaryDirectory()
        let file = try directory.write("in", Array(lines.map { $0 + "\n" }.joined().utf8))
        return try Invocation(program: Programs.threadlab, arguments: ["play"] + words + ["--plain"])
            .reading(from: file).run()
    }

    @Test func `the steps that a person chooses lead to a deadlock`() throws {
        try play([Self.deadlock], "1", "step first", "2", "why main", "2", "why first").succeeds().isSilent()
            .prints("Can step: 1 first and 2 second.\nStep 1: first: start, and comes to line 10\n")
            .prints("Step 2: first: lock a (line 10)\n")
            .prints("main waits at line 10 for first to end.\n")
            .prints("Step 4: second: lock b (line 13)\n  Then first: waits for b (line 10)\n")
            .prints("The run has ended: deadlock. first and second wait for each other; neither can ever continue.\n")
            .prints("first waits for b at line 10, which second holds since line 13.\n")
    }

    @Test func `it can begin with the run of a seed`() throws {
        let run = try threadlab("run", Self.deadlock, "--seed", "1", "--format", "json").run()
        let schedule = try #require(run.output.firstMatch(of: /"schedule":"([^"]+)"/)).output.1
        try play([Self.deadlock, "--seed", "1"], "end", "schedule").succeeds().isSilent()
            .prints("The run has ended: ").prints(String(schedule))
        try play([Self.deadlock, "--seed", "1", "--schedule", "1"]).exits(with: 2)
            .complainsInOneLine(about: "--seed and --schedule cannot be used together")
    }

    @Test func `going back and another way forgets nothing that was marked`() throws {
        try play(
            [Self.deadlock], "1", "1", "2", "bookmark before", "2", "back", "1", "forward", "goto before", "back 9",
            "end", "schedule", "bookmarks"
        ).succeeds()
            .prints("At step 3 of 4.\n").prints(
                "Step 4: first: lock b (line 10)\n  Then second: waits for b (line 13)\n"
            )
            .prints("The recorded part ends here: choose a thread.")
            .prints("Schedule: 1x2,2\nReplay: threadlab replay \(Self.deadlock) --schedule 1x2,2\n")
            .prints("'before': step 3\n")
    }

    @Test func `a hint says which choice leads to a failure, and which never does`() throws {
        try play([Self.deadlock, "--hint-time", "1h"], "1", "1", "2", "hint").succeeds()
            .prints("1 first: no failure, whatever happens after it.\n")
            .prints("2 second: leads to 'deadlock' at once (schedule 1x2,2x2).\n")
        try play([Self.deadlock, "--hint-time", "1h"], "hint").succeeds()
            .prints("1 first: can lead to 'deadlock' in 3 more steps (schedule ")
            .prints("; 2 of the 3 orders after it do not fail.\n")
    }

    @Test func `a run continues by itself until something happens`() throws {
        try play(
            [Self.deadlock], "run until event release", "start", "run until line 14", "start", "run random 3 until end"
        )
        .succeeds().prints("The run has ended: ")
    }

    @Test func `predict mode asks before it shows`() throws {
        try play([Self.deadlock], "1", "start", "predict", "forward", "2", "1", "1 2", "predict off", "state")
            .succeeds()
            .prints(
                "Which thread takes step 1? Type its number.\nNo, it is 1 (first).\nStep 1: first: start, and comes to line 10\n"
            )
            .prints("Which threads can step after that?").prints("Right: 1 first and 2 second can step.\n")
    }

    @Test func `the state is that of the position`() throws {
        try play([Self.deadlock], "1", "1", "2", "state", "start", "state", "source").succeeds()
            .prints("  1 first: can step: lock b at line 10; holds a (taken at line 10)\n")
            .prints("  a: held by first\n  b: free\n").prints("  a: free\n  b: free\n")
            .prints("2 second at line 12: thread second {\n")
    }

    @Test func `a step that can go several ways asks which`() throws {
        let directory = try TemporaryDirectory()
        let text = """
            scenario "ways"
            mutex m
            condition c with m
            shared go = 0
            thread waiter[2] { lock m { while go == 0 { c.wait() } } }
            thread keeper { lock m { go = choose(3); c.signal() } }
            expect deadlock

            """
        let file = try directory.write("ways.lab", Array(text.utf8))
        try play(
            [file], "1", "1", "1", "1", "2", "2", "2", "2", "3", "3", "3", "7", "2", "3", "3", "0", "2", "why 1",
            "why 2"
        ).succeeds()
            .prints("keeper's step can go 3 ways.\n  0: it chooses 0.\n")
            .prints("Type 0, 1, 2.\n").prints("keeper: choose 2 (line 6)\n")
            .prints("  1: it wakes waiter[0].\n  2: it wakes waiter[1].\nType 1 or 2.\nType 1 or 2.\n")
            .prints("waiter[0] waits for a signal of c at line 5.\n")
            .prints("waiter[1] waits for m at line 5, which keeper holds since line 6.\n")
    }

    @Test func `an open question waits for its answer, and can be withdrawn`() throws {
        let signal = Repository.root + "/scenarios/conditions/one-signal-for-two.lab"
        let words = [signal, "--schedule", "1x4,2x4,3x3"]
        try play(words, "end", "3", "0", "cancel", "cancel", "3", "back", "end", "3", "2", "why 2").succeeds()
            .prints("  2: it wakes visitor[1].\nType 1 or 2.\nType 1 or 2.\nNo step was taken.")
            .prints("There is no question.\n").prints(
                "Type 1 or 2.\nNo step was taken. Can step: 3 keeper.\nAt step 10 of 11.\n"
            )
            .prints("visitor[1] waits for m at line 14, which keeper holds since line 19.\n")
    }

    @Test func `memory that no thread has touched has its first value`() throws {
        let directory = try TemporaryDirectory()
        let text =
            "scenario \"first\"\nshared balance = 100\nsemaphore free = 2\nthread t { free.wait(); balance = 7; balance += 1 }\nexpect completes\n"
        let file = try directory.write("first.lab", Array(text.utf8))
        try play([file], "state").succeeds().prints("  balance: value 100\n  free: 2 permits\n")
    }

    @Test func `leaving says how the run ended, and how to repeat it`() throws {
        try play([Self.deadlock], "1", "1", "2", "2", "back 2", "quit").succeeds()
            .prints("The run that you stepped to its end: deadlock. first and second wait for each other;")
            .prints("Replay: threadlab replay \(Self.deadlock) --schedule 1x2,2x2\n")
        try play([Self.deadlock], "1", "1").succeeds()
            .prints("You left the run at step 2, before its end.\n")
            .prints("Continue: threadlab play \(Self.deadlock) --schedule 1x2\n")
    }

    @Test func `a prediction is of a value, of the end, or of a thread, and has a score`() throws {
        try play(["lost-update", "--schedule", "1x2"], "predict", "forward 2", "1", "2", "1", "7", "predict").succeeds()
            .prints("Which thread takes step 1? Type its number.\nRight: it is 1 (adder[0]).\n")
            .prints("Which thread takes step 2? Type its number.\nNo, it is 1 (adder[0]).\n")
            .prints("adder[0] changes count at line 12. What is its value after that? Type a number.\nNo, it is 1.\n")
            .prints("Predict mode is off.\n1 of 3 predictions right.\n")
        try play([Self.deadlock, "--schedule", "1x2,2"], "end", "predict", "2", "2").succeeds()
            .prints("second steps, and the run ends. How?\n  1: completed\n  2: deadlock\n  3: assertion\n")
            .prints("Right: it is 'deadlock'.\n")
    }

    @Test func `a program that crashes ends its run, and not the session`() throws {
        let file = try TemporaryDirectory()
        let input = try file.write("in", Array("run\nback\nstate\nquit\n".utf8))
        let words = ["play", "trouble", "--variant", "crash", "--plain"]
        _ = try Invocation(program: Programs.plugin, arguments: words).reading(from: input).run()
            .succeeds().prints("The run has ended: crash.").prints("Threads:\n")
    }

    @Test func `a trace of real threads is played in its own order`() throws {
        let directory = try TemporaryDirectory()
        let trace = directory.file("t.trace")
        try threadlab("run", "lost-update", "--native", "--format", "none", "--save", trace).run()
        try play([trace, "--hint-time", "1h"], "forward 3", "hint", "schedule", "start", "state", "end", "state")
            .succeeds().prints("The order was recorded").prints("The run has ended: ")
            .prints("  1 adder[0]: has not been created\n")
            // An update may be lost on real threads: then main ends by its assertion.
            .prints("  1 adder[0]: has ended\n  2 adder[1]: has ended\n")
            .prints("Step through it again: threadlab play \(trace)\n")
    }

    @Test func `a saved run is the known run`() throws {
        let directory = try TemporaryDirectory()
        let trace = directory.file("t.trace")
        try threadlab("run", Self.deadlock, "--seed", "3", "--format", "none", "--save", trace).run()
        try play([trace], "end").succeeds().prints("The run has ended: ")
        try play([trace, "--schedule", "1"]).exits(with: 2).complainsInOneLine(about: "already contains its schedule")
        try play([Self.deadlock, "--schedule", "0x9"]).exits(with: 2).complainsInOneLine(
            about: "the schedule does not fit")
    }

    @Test func `what is not a command is explained, and ends nothing`() throws {
        try play(
            [Self.deadlock], "stp 1", "step", "9", "forward x", "# a remark", "", "1 0", "state now", "help", "lanes"
        )
        .succeeds().prints("'stp' is not a command. Did you mean 'step'?").prints("'9' is not a thread here.")
        .prints("'x' is not a number of steps").prints("first's step can go one way only.")
        .prints("'state' takes nothing after it.")
    }
}
