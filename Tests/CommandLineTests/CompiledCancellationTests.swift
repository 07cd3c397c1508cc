import Glibc
import Testing

/// Compiled programs that cancel threads, or end them by `pthread_exit`.
@Suite struct CompiledCancellationTests {
    @Test(arguments: ["condition", "permit", "join", "signal", "asynchronous"])
    func `a thread is cancelled where it looks, and in each wait, and its handlers are called`(which: String) throws {
        try CProgram("cancelled").explore("--runs", "100", arguments: [which]).exits(with: 0)
            .prints("No proof: The program has called 'pthread_c")
    }

    @Test func `a thread that is cancelled without a handler keeps its mutex`() throws {
        let program = try CProgram("cancelled")
        let found = try program.explore(arguments: ["forgets"]).exits(with: 1)
            .prints("main waits for lock at cancelled.c:225, which wait_without_handler still held when it ended.")
        let replay = try #require(found.output.firstMatch(of: /Replay: threadlab (replay .+)/)).output.1
        try program.threadlab(replay.split(separator: " ").map(String.init)).exits(with: 1)
            .prints("deadlock: main waits for something that no remaining thread can provide.")
    }

    @Test(arguments: [
        "write", "writev", "pwrite", "readv", "pread", "open", "openat", "creat", "close", "fsync", "fdatasync",
        "connect",
        "recv",
    ])
    func `a thread that is cancelled ends at what it does with files`(point: String) throws {
        try CProgram("points").explore("--runs", "30", "--strategy", "random", arguments: [point]).exits(with: 0)
            .prints("no finding: in 30 executions")
    }

    @Test func `pthread_exit calls the handlers, the last one first, and then those of keys`() throws {
        try CProgram("cancelled").explore(arguments: ["exit"]).exits(with: 0).prints(
            "proved: the only order passes, under sc.")
    }

    @Test func `objects of C++ are destroyed when their thread is cancelled or exits`() throws {
        let program = try CProgram("cancelled", suffix: ".cpp")
        try program.explore().exits(with: 0).prints("no finding: in ")
        try program.explore(arguments: ["exit"]).exits(with: 0).prints("proved: the only order passes, under sc.")
        try program.explore(arguments: ["swallow"]).exits(with: 1)
            .prints("catches the exception by which pthread_exit and pthread_cancel end a thread")
    }

    @Test(.enabled(if: access("/usr/bin/gcc", X_OK) == 0, "there is no gcc"), arguments: [[], ["-fexceptions"]])
    func `handlers are called in their order, also those that gcc makes of an attribute`(flags: [String]) throws {
        let program = try CProgram("cancelled", compiler: "/usr/bin/gcc", flags: flags)
        try program.explore("--runs", "100", arguments: ["order"]).exits(with: 0)
        try program.explore("--runs", "100", arguments: ["disabled"]).exits(with: 0)
    }

    @Test func `without threadlab they run as usual`() throws {
        let program = try CProgram("cancelled")
        for which in ["condition", "permit", "order", "exit"] { try program.alone([which]).succeeds() }
    }
}
