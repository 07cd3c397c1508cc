import Glibc
import Support
import Testing

/// Programs in C, compiled by `threadlab cc`, under the scheduler and without it.
@Suite struct CompiledProgramTests {
    // MARK: - Findings

    @Test func `a deadlock is found, drawn with the names of the program, and replayed`() throws {
        let program = try CProgram("deadlock")
        let found = try program.explore().exits(with: 1)
            .prints("deadlock: deposit and audit wait for each other; neither can ever continue.")
            .prints(
                "deposit holds accounts (taken at deadlock.c:10) and waits for journal at deadlock.c:11, which audit holds."
            )
        try program.replays(found).prints(
            "deadlock: deposit and audit wait for each other; neither can ever continue.")
    }

    @Test(arguments: ["--option", "-h", "-n"])
    func `arguments that look like options of threadlab are the program's, also in a replay`(word: String) throws {
        let program = try CProgram("counter")
        let found = try program.explore(arguments: [word]).exits(with: 1)
        try program.replays(found).prints("race: Data race: threads add and add 2 access counter")
    }

    @Test func `a program that takes its locks in one order has no finding, in all its orders`() throws {
        let program = try CProgram("deadlock")
        try program.explore(arguments: ["same"]).exits(with: 0).prints(
            "proved: none of 2 orders fails, under any memory model.")
    }

    @Test(arguments: ["random", "pct", "pos", "surw"])
    func `each strategy finds the deadlock`(strategy: String) throws {
        let program = try CProgram("deadlock")
        try program.explore("--strategy", strategy).exits(with: 1).prints("deadlock: deposit and audit wait")
    }

    @Test func `a lost update is a race, and an assertion that fails`() throws {
        let program = try CProgram("counter")
        let found = try program.explore("--keep-going").exits(with: 1)
        found.prints("race: Data race: threads add and add 2 access counter without synchronization.")
            .prints("assertion: An assertion failed: counter == 2").prints(
                "search: 2 findings")
    }

    @Test(arguments: [
        (
            "freed",
            "error: use uses memory that was freed: *taken (block from memory.c:39)"
        ),
        ("twice", "frees again memory that was freed: block from memory.c:39"),
        ("null", "memory.c:23: Fatal error: signal 11 in use of thread 'use'"),
    ])
    func `what goes wrong with memory is found, and its place`(mistake: String, says: String) throws {
        let program = try CProgram("memory")
        let found = try program.explore(arguments: [mistake]).exits(with: 1)
        #expect((found.output + found.errors).contains(says), "\(found.output)\(found.errors)")
    }

    @Test(arguments: [[], ["--deep"]])
    func `a variable on the stack that the program does not initialize has the same value in each execution`(
        arguments: [String]
    ) throws {
        try CProgram("uninitialized").explore(arguments: arguments).exits(with: 0)
            .prints("proved: none of 2 orders fails, under any memory model.")
    }

    @Test func `keys of constructors have their values in each execution, and main has their thread's identity`() throws
    {
        let program = try CProgram("early")
        try program.explore().exits(with: 0).prints("proved: none of ")
        try program.alone([]).succeeds()
    }

    @Test func `a program that makes processes is told that it cannot, and how a program ends is found`() throws {
        let program = try CProgram("endings")
        for name in ["vfork", "_Fork", "clone", "execl", "execvp", "posix_spawn", "system", "popen"] {
            let found = try program.explore(arguments: [name]).exits(with: 1)
            #expect(found.output.contains("calls '\(name)', which threadlab does not support"), "\(found.output)")
        }
        for name in ["err", "errx", "error", "quick_exit"] {
            let found = try program.explore(arguments: [name]).exits(with: 1)
            #expect(found.output.contains("exits with code 3"), "\(name): \(found.output)")
        }
        try program.explore(arguments: ["raw"]).exits(with: 1).prints("calls 'fork', which threadlab does not support")
        // A copy that no function has made is not for the engine.
        try program.explore("--runs", "3", arguments: ["assembly"]).exits(with: 0)
        // Without threadlab they work.
        try program.alone(["system"]).prints("3\n").succeeds()
        for name in ["vfork", "_Fork", "clone", "execl", "execvp", "posix_spawn", "popen", "raw"] {
            try program.alone([name]).succeeds()
        }
        try program.alone(["err"]).exits(with: 3)
    }

    @Test(arguments: ["value", "mutex", "shared", "condition", "semaphore", "spin"])
    func `a look at a semaphore, and making an object anew, are steps`(mistake: String) throws {
        let found = try CProgram("objects").explore(arguments: [mistake]).exits(with: 1)
        let says = [
            "value": "value != 1", "semaphore": "value != 1", "condition": "use waits for a signal",
            "shared": "use uses shared, which was destroyed",
        ]
        #expect(
            found.output.contains(says[mistake] ?? "main destroyed an object that is still in use"), "\(found.output)")
    }

    @Test(arguments: [
        "mutex": "mutex", "table": "table", "condition": "changed", "spin": "spin", "barrier": "barrier",
        "unmade": "unmade",
        "semaphore": "permits",
    ])
    func `the use of what was destroyed is found, whichever thread is first`(choice: String, name: String) throws {
        let program = try CProgram("destroyed")
        let found = try program.explore("--keep-going", arguments: [choice]).exits(with: 1)
            .prints("error: use uses \(name), which was destroyed or never initialized.")
        try program.replays(found).prints("error: use uses \(name), which was destroyed or never initialized.")
    }

    @Test func `what was destroyed is made again by a call or a constant`() throws {
        try CProgram("destroyed").explore().exits(with: 0).prints(
            "proved: the only order passes, under any memory model.")
    }

    @Test func `objects are made and destroyed while other threads use others`() throws {
        try CProgram("objects").explore().exits(with: 0)
    }

    @Test
    func `a program's own functions may have names of the system's, and what is read from a file is written to memory`()
        throws
    {
        let program = try CProgram("names")
        try program.explore().exits(with: 0).prints("proved: none of 2 orders fails, under any memory model.")
        try program.explore(arguments: ["file"]).exits(with: 1)
            .prints("race: Data race: threads use and use 2 write byte without synchronization.")
    }

    @Test func `a race is not hidden by threads that are never joined`() throws {
        try CProgram("unjoined").explore().exits(with: 1)
            .prints("race: Data race: threads write_one and write_one 2 write number without synchronization.")
    }

    @Test func `plain accesses of memory that others use as an atomic are steps, and race`() throws {
        try CProgram("mixed").explore("--keep-going").exits(with: 1)
            .prints("assertion: An assertion failed: __atomic_load_n(&number")
            .prints("race: Data race: threads write_twice and look access number without synchronization.")
            .prints("look reads number as an atomic at mixed.c:14")
    }

    @Test(arguments: [
        ("copied", "race: Data race: threads one and other access source.third"),
        ("assigned", "race: Data race: threads one and other write copied.third"),
        ("freed", "race: Data race: one frees block from wide.c:59 while other writes own->third."),
        ("locked", "uses memory that was freed: own->mutex (block from wide.c:59)"),
        ("moved", "race: Data race: one frees block from wide.c:59 while other writes own->third."),
        ("many", "race: Data race: threads one and other write much[5000]"),
    ])
    func `every byte of an access counts, also of one that frees memory`(mistake: String, says: String) throws {
        let found = try CProgram("wide").explore("--keep-going", arguments: [mistake]).exits(with: 1)
        let text = found.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains(says), "\(found.output)")
    }

    @Test(arguments: ["neighbors", "halves", "ordered"])
    func `accesses of other bytes are no race, nor ordered ones`(choice: String) throws {
        try CProgram("wide").explore("--keep-going", arguments: [choice]).exits(with: 0)
    }

    @Test func `a saved run is replayed`() throws {
        let program = try CProgram("counter")
        try program.threadlab(["run", program.path, "--seed", "3", "--save", "saved.trace"])
        let again = try program.threadlab(["replay", "saved.trace"])
        #expect(again.code == 0 || again.code == 1)
        again.doesNotPrint("differs")
    }

    @Test func `a saved run carries what its steps are, and says if the program was built again`() throws {
        let program = try CProgram("counter")
        try program.explore("--save", "saved").exits(with: 1)
        let trace = "saved/counter-race-1.trace"
        let text = try program.text(of: trace)
        let steps = try #require(text.firstMatch(of: #/"steps":"([0-9a-f,]+)"/#)).output.1
        let again = try program.threadlab(["replay", trace]).exits(with: 1).prints("race: Data race")
        #expect(!again.errors.contains("differs"))
        // With one step less it is another run.
        try program.write(text.replacing("\"\(steps)\"", with: "\"\(steps.split(separator: ",")[0])\""), to: trace)
        let other = try program.threadlab(["replay", trace])
        #expect(other.errors.contains("differs") || other.errors.contains("schedule"), "\(other.output)\(other.errors)")
        try program.write(text.replacing("\"\(steps)\"", with: "\"fffffff\""), to: trace)
        try program.threadlab(["replay", trace]).exits(with: 2).complainsInOneLine(
            about: "what its steps are, and that is damaged")
        try program.write(text, to: trace)
        try program.build("counter", "-O1")
        #expect(
            try program.threadlab(["replay", trace]).errors.contains(
                "./counter was built again since the trace was saved"))
    }

    // MARK: - No findings

    @Test func `waits, time limits and sleeps are on virtual time, and all orders are tried`() throws {
        try CProgram("waiting").explore().exits(with: 0).prints(
            "proved: none of 59 orders fails, nor any of 427 with a spurious wake-up, under any memory model.")
    }

    @Test func `what POSIX and C11 have to synchronize threads works`() throws {
        try CProgram("locks").explore("--runs", "2000", "--strategy", "random").exits(with: 0)
    }

    @Test func `each execution begins with new memory, and threads with new variables`() throws {
        try CProgram("fresh").explore().exits(with: 0)
        try CProgram("fresh").explore("--strategy", "random", "--runs", "500").exits(with: 0)
    }

    @Test func `the kernel writes into memory that the program has not written yet`() throws {
        let program = try CProgram("kernel")
        try program.explore("--strategy", "random", "--runs", "3").exits(with: 0).prints(
            "No proof: The program has called 'stat'")
        try program.alone().succeeds()
    }

    @Test func `limits that are none are refused, and C11 makes its objects anew`() throws {
        let program = try CProgram("limits")
        try program.explore().exits(with: 0).prints("no finding: in 2 executions")
            .prints("No proof: The program has called 'gettid'")
        try program.alone().succeeds()
    }

    @Test func `a program handles its own faults, and what it sets for its process is put back`() throws {
        let program = try CProgram("signals")
        try program.explore().exits(with: 0).prints("no finding: in 2 executions, ").prints(
            "No proof: The program has called 'getcwd', and not all that it does is decided by the schedule.")
        try program.explore(arguments: ["fault"]).exits(with: 1).prints("crash: main crashed at signals.c:")
        try program.alone().succeeds()
    }

    @Test func `a lock is not taken earlier than it is free because its memory is written`() throws {
        let program = try CProgram("held")
        try program.explore("--strategy", "dpor").exits(with: 0).prints(
            "proved: none of 6 orders fails, under any memory model.")
        try program.explore("--strategy", "dpor", "--keep-going", arguments: ["released"]).exits(with: 1)
            .prints("deadlock: ").prints("All 5 orders were tried")
    }

    @Test func `a run is played step by step, and back, in copies of its process`() throws {
        try CProgram("correct").play(arguments: ["locked"], "0", "0", "0", "back", "run until end").succeeds()
            .prints("The run has ended: completed.").doesNotPrint("quit with status")
    }

    @Test
    func `what only a search shows that threads share are steps of the next one, and otherwise nothing is proved`()
        throws
    {
        let program = try CProgram("late")
        let found = try program.explore().exits(with: 1).prints("Data race").prints("secret").prints(" --steps ")
        try program.replays(found).prints("Data race").prints("secret")
        // What has a number of executions is searched once.
        try program.explore("--runs", "100000").exits(with: 0).doesNotPrint("proved")
            .prints("access memory that several threads use, which only the search showed")
    }

    @Test func `nothing is proved if a library has been loaded whose own code may run, or shares a variable`() throws {
        try CProgram("deadlock", library: "borrowed-library.c").explore(arguments: ["same"]).exits(with: 0)
            .prints("No proof: The program has loaded libhelper.so, of which nothing tells what its own code does")
        try CProgram("borrowed", library: "borrowed-library.c", flags: ["-fno-pic", "-no-pie"]).explore().exits(with: 0)
            .prints("No proof: The program uses 'borrowed', of which threadlab does not know what it accesses.")
    }

    @Test func `a thread's end calls handlers and destructors, and a once that throws is tried again`() throws {
        try CProgram("handlers").explore().exits(with: 0).prints("proved: the only order passes, under sc.")
        try CProgram("unwinding", suffix: ".cpp").explore().exits(with: 0).prints(
            "proved: none of 16 orders fails, under sc.")
    }

    @Test func `nothing is proved if a file was not compiled by threadlab cc, or more than the schedule decides`()
        throws
    {
        let program = try CProgram("outside", with: "outside-helper.c")
        try program.explore().exits(with: 0).prints(
            "No proof: outside-helper.c was not compiled by 'threadlab cc', so nothing tells what its code accesses.")
        try CProgram("outside", with: "outside-helper.c", isTold: true).explore().exits(with: 0).prints("proved: ")
        for (choice, name) in [("process", "getpid"), ("library", "dlsym"), ("input", "read")] {
            try CProgram("outside", with: "outside-helper.c", isTold: true).explore(arguments: [choice]).exits(with: 0)
                .prints(
                    "No proof: The program has called '\(name)', and not all that it does is decided by the schedule.")
        }
    }

    /// Correct programs, with the number of orders of the same steps in a `.lab` file.
    @Test(arguments: [
        ("locked", "shared n = 0\nmutex m\nthread t[3] { m.lock()\n n += 1\n m.unlock() }"),
        ("added", "atomic n = 0\nthread t[3] { n.add(1) }"),
        ("crossed", "atomic x = 0, y = 0\nthread a { x.store(1)\n y.load() }\nthread b { y.store(1)\n x.load() }"),
        ("neighbors", "shared x = 0, y = 0\nthread a { x = 1 }\nthread b { y = 1 }"),
        (
            "posted",
            "shared n = 0\nsemaphore s = 0\nthread a { n = 1\n s.signal() }\nthread b { s.wait()\n assert n == 1 }"
        ),
    ])
    func `a correct program is proved, with as many orders as its steps have in a program in a .lab file`(
        choice: String, same: String
    ) throws {
        let program = try CProgram("correct")
        let folder = try TemporaryDirectory()
        let file = try folder.write("same.lab", Array("scenario \"same\"\n\n\(same)\n\nexpect completes\n".utf8))
        let expected = try threadlab("explore", file, "--strategy", "dpor").wide.run().exits(with: 0)
        let proof = expected.output.firstMatch(of: #/proved: (.+?)\. /#)
        let count = try #require(proof).output.1
        try program.explore(arguments: [choice]).exits(with: 0).prints("proved: \(count). ")
    }

    @Test func `one with weaker orders is not proved, and its lines are named`() throws {
        let same = """
            scenario "same"
            shared data = 0
            atomic flag = 0
            thread a { data = 1; flag.store(1, release) }
            thread b { if flag.load(acquire) == 1 { assert data == 1 } }

            """
        let folder = try TemporaryDirectory()
        let file = try folder.write("same.lab", Array(same.utf8))
        try threadlab("explore", file, "--strategy", "dpor", "--model", "sc").wide.run().exits(with: 0)
            .prints("proved: none of 2 orders fails, under sc.")
        try CProgram("correct").explore(arguments: ["published"]).exits(with: 0).doesNotPrint("proved")
            .prints("no finding: in 2 executions, ").prints(CompiledOrderTests.weaker + "correct.c:35,48.")
    }

    @Test func `the threads of C++ are under control too`() throws {
        try CProgram("standard", suffix: ".cpp").explore().exits(with: 0).prints("proved: none of ")
    }

    // MARK: - Without threadlab

    @Test func `the program runs as usual on real threads`() throws {
        try CProgram("counter").alone().exits(with: 0).prints("counter: 2\n").isSilent()
        try CProgram("locks").alone().succeeds()
    }

    @Test func `a program that was not built for threadlab is told how it would be`() throws {
        try threadlab("explore", "/bin/true").wide.run().exits(with: 2).printsNothing().complains(
            "/bin/true was not built for threadlab: build it with 'threadlab cc -- cc -g app.c -o app', "
                + "or with 'make CC=\"threadlab cc -- cc\"'")
    }

    // MARK: - Compiling

    @Test func `it is compiled in two steps too`() throws {
        let program = try CProgram("deadlock", inSteps: true)
        try program.explore().exits(with: 1).prints("deadlock: deposit and audit wait")
    }

    @Test(.enabled(if: access("/usr/bin/gcc", X_OK) == 0, "there is no gcc"))
    func `gcc compiles it as well`() throws {
        let program = try CProgram("deadlock", compiler: "/usr/bin/gcc")
        try program.explore().exits(with: 1).prints("deadlock: deposit and audit wait")
        try program.explore(arguments: ["same"]).exits(with: 0).prints(
            "proved: none of 2 orders fails, under any memory model.")
    }

    @Test func `the flags are printed`() throws {
        try threadlab("cc", "--flags").run().succeeds().prints("-fsanitize=thread").prints("--whole-archive")
        try threadlab("cc").run().exits(with: 2).complainsInOneLine(about: "give the compiler")
        try threadlab("cc", "--", "/nonexistent/cc", "-c", "a.c").run().exits(with: 2)
            .complainsInOneLine(about: "cannot start the compiler '/nonexistent/cc'")
    }

    @Test(arguments: Extent.compilers)
    func `atomic operations of 16 bytes are steps`(compiler: String) throws {
        let flags = ["-Wno-atomic-alignment"]
        let program =
            compiler == "gcc"
            ? try CProgram("sixteen", compiler: "gcc", flags: flags) : try CProgram("sixteen", flags: flags)
        try program.explore("--strategy", "dpor").exits(with: 0).prints("Atomic operations of different sizes")
        try program.explore(arguments: ["lost"]).exits(with: 1).prints("An assertion failed: end.count == 2")
    }

    @Test func `what is written before a thread is started, and after it was joined, is no step`() throws {
        let program = try CProgram("prepared")
        try program.explore().exits(with: 0)
            .prints("proved: the only order passes, under any memory model. All were run: 1 execution, 7 steps")
        try program.explore(arguments: ["meddle"]).exits(with: 1).prints("Data race: threads main and meddle write")
        try CProgram("repeated").explore().exits(with: 1).prints("Data race: threads main and read_first access much")
    }

    @Test func `what a library's function accesses does not matter while there is one thread`() throws {
        let program = try CProgram("alone")
        try program.explore().exits(with: 0).prints("proved: none of 2 orders fails, under any memory model.")
        try program.explore(arguments: ["-b"]).exits(with: 0).prints("The program has called 'qsort'")
    }

    @Test
    func `a thread of C finds its own number, and threads may ask for more stack than they use, and what they are`()
        throws
    {
        let program = try CProgram("asked")
        for arguments in [[], ["little"], ["self"]] {
            try program.explore(arguments: arguments).exits(with: 0)
                .prints("proved: the only order passes, under any memory model.")
        }
        try program.explore(arguments: ["deep"]).exits(with: 1).prints("uses more stack than the 8 MB")
        try program.explore(arguments: ["other"]).exits(with: 0)
            .prints("The program has called 'pthread_getschedparam (of another thread)'")
        try program.explore(arguments: ["late"]).exits(with: 0).prints("The program has called 'setitimer'")
    }

    @Test func `threads that constructors start are under control`() throws {
        let program = try CProgram("constructed")
        try program.explore().exits(with: 0).prints("proved: none of 2 orders fails, under any memory model.")
        let found = try program.explore(arguments: ["bare"]).exits(with: 1).prints("Data race: threads main and work")
        try program.replays(found).prints("Data race: threads main and work")
    }
}
