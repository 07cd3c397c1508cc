import Testing

/// Compiled programs whose threads speak through pipes, sockets and event counters of their own.
@Suite struct CompiledChannelTests {
    @Test(arguments: ["one", "printed", "sockets", "epoll", "poll", "cancel"])
    func `a thread waits until another has written, or read, or closed its end`(which: String) throws {
        try CProgram("channels").explore("--runs", "100", arguments: [which]).exits(with: 0)
            .prints("no finding: in ").prints("No proof: The program has called '")
    }

    @Test(arguments: ["pipe", "stream", "datagrams", "packets", "much", "much-stream"])
    func `parts that a thread writes by one call are one message, and stay together`(which: String) throws {
        let program = try CProgram("gathered")
        try program.explore("--strategy", "random", "--runs", "50", arguments: [which]).exits(with: 0)
            .prints("no finding: in ")
        try program.alone([which]).succeeds()
    }

    @Test(arguments: [
        "read", "write", "getrandom", "readv", "writev", "parts", "recvfrom", "recvmsg", "pread", "pipe", "tss_create",
        "thrd_sleep", "sched_setparam", "sendto", "sendmsg", "dprintf",
    ])
    func `what the system reads or writes for a thread, another one does not use meanwhile`(call: String) throws {
        try CProgram("told").explore(arguments: [call]).exits(with: 1).prints("race: Data race: threads main and call ")
    }

    @Test func `a thread that reads what no other thread writes waits forever`() throws {
        try CProgram("channels").explore(arguments: ["nothing"]).exits(with: 1)
            .prints("deadlock: main waits for pipe 1, and no thread is left to wake it.")
            .prints("main waits for pipe 1 at channels.c:70.")
    }

    @Test func `a thread that writes more than a pipe holds waits for a reader`() throws {
        try CProgram("channels").explore(arguments: ["stuck"]).exits(with: 1)
            .prints("deadlock: write_much waits for pipe 1, and no thread is left to wake it.")
    }

    @Test func `what a poll finds without waiting depends on the schedule`() throws {
        try CProgram("channels").explore(arguments: ["look"]).exits(with: 1)
            .prints("assertion: An assertion failed: poll_both(0) == 1")
    }

    @Test func `without threadlab they run as usual`() throws {
        let program = try CProgram("channels")
        for which in ["one", "much", "sockets", "counter", "poll", "full"] { try program.alone([which]).succeeds() }
    }

    @Test(arguments: ["all", "vain", "whole", "printed"])
    func `descriptors that are not the program's stay open, and sockets have their limits and flags`(way: String) throws
    {
        let program = try CProgram("descriptors")
        try program.explore("--runs", "20", arguments: [way]).exits(with: 0).prints("no finding: in ")
        if way != "vain" { try program.alone([way]).succeeds() }
    }

    @Test func `more channels than threadlab supports are an error that says so`() throws {
        let program = try CProgram("descriptors")
        try program.threadlab(["run", program.path, "--arguments", "many"]).exits(with: 1)
            .prints("in one execution than threadlab supports: 1023")
        try program.alone(["many"]).succeeds()
    }

    @Test func `descriptors have the same numbers in all processes of a search`() throws {
        try CProgram("numbers").explore("--strategy", "random", "--runs", "300", "--jobs", "2", "--keep-going")
            .exits(with: 1).prints("Data race: ").doesNotPrint("differently this time")
    }
}
