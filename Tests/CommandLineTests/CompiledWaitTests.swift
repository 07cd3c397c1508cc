import Testing

/// Compiled programs whose libraries wait by the system call `futex`.
@Suite struct CompiledWaitTests {
    @Test(arguments: ["lock", "all", "time", "bits", "count"])
    func `locks and queues that a program makes of futexes are proved`(which: String) throws {
        try CProgram("futexes").explore(arguments: [which]).exits(with: 0).prints("proved: none of ")
    }

    @Test func `what waits at another word is woken instead, so nothing is proved`() throws {
        try CProgram("futexes").explore(arguments: ["requeue"]).exits(with: 0).prints("no finding: in ")
            .prints("No proof: The program has called 'futex (FUTEX_REQUEUE)'")
    }

    @Test func `a lock that forgets its waiters leaves one waiting, and the story says who should have woken it`()
        throws
    {
        try CProgram("futexes").explore(arguments: ["forgets"]).exits(with: 1)
            .prints("add waits for a signal of futex word at futexes.c:19.")
            .prints("add 2 changed word at futexes.c:34, and no thread signaled futex word after that.")
            .prints("Wake the threads that wait for futex word after each change of what they test.")
            .prints("It may be part of a latch, a semaphore, a lock or an atomic of the C++ library")
    }

    @Test(arguments: ["negative", "any"])
    func `the kernel wakes one thread if it is asked for less than one, and as many as asked of all bits`(which: String)
        throws
    {
        try CProgram("futexes").explore(arguments: [which]).exits(with: 1)
            .prints("deadlock: wait_for_one waits for a signal that no remaining thread can send.")
    }

    @Test func `a wake-up of one thread of two leaves the other waiting`() throws {
        try CProgram("futexes").explore(arguments: ["one"]).exits(with: 1)
            .prints("What wait_for_one had read was changed when main changed word at futexes.c:79.")
            .prints("The only signal of futex word after that, at futexes.c:19, woke wait_for_one 2.")
    }

    @Test func `an operation of futexes that is not supported is named, and works without threadlab`() throws {
        let program = try CProgram("futexes")
        try program.explore(arguments: ["priority"]).exits(with: 1)
            .prints("uses operation 6 of futexes, which threadlab does not support")
        try program.alone(["priority"]).succeeds()
        try program.alone(["lock"]).succeeds()
    }

    @Test(arguments: ["atomic", "semaphore", "latch", "future", "future-breaks", "limits"])
    func `what C++20 waits with is under control, and proved`(which: String) throws {
        try CProgram("waits", suffix: ".cpp").explore(arguments: [which]).exits(with: 0).prints("proved: ")
    }

    @Test(arguments: [
        ("atomic-forgets", "lambda in atomics", "ready at waits.cpp:16"),
        ("semaphore-forgets", "lambda in semaphores", "permits at waits.cpp:50"),
    ])
    func `a thread of C++ that is not notified waits forever`(which: String, thread: String, what: String) throws {
        try CProgram("waits", suffix: ".cpp").explore(arguments: [which]).exits(with: 1)
            .prints("deadlock: \(thread) waits for a signal that no remaining thread can send.")
            .prints("\(thread) waits for a signal of futex \(what).")
    }

    @Test func `a search in which no execution has ended is not as expected`() throws {
        let program = try CProgram("accepts")
        try program.explore("--time", "1s").exits(with: 1)
            .prints("undecided: no execution ended; the time limit was reached.\n")
            .prints("  No proof: The program uses 'listen', of which threadlab does not know what it accesses.\n")
            .doesNotPrint("s expected")
    }
}
