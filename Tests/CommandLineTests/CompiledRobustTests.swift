import Glibc
import Testing

/// Compiled programs whose mutexes have owners that end, and those with locks of other kinds.
@Suite struct CompiledRobustTests {
    @Test(arguments: ["mends", "leaves", "readers", "inherits"])
    func `robust mutexes and other kinds are proved, as POSIX says of them`(which: String) throws {
        try CProgram("robust").explore(arguments: [which]).exits(with: 0).prints("proved: ")
    }

    @Test func `a wait finds that the owner has ended, but is of more steps than one, so nothing is proved`() throws {
        try CProgram("robust").explore(arguments: ["waits"]).exits(with: 0)
            .prints("No proof: The program has called 'pthread_cond_wait")
    }

    @Test func `a mutex that is not robust stays with the thread that has ended`() throws {
        try CProgram("robust").explore(arguments: ["stalls"]).exits(with: 1)
            .prints("main waits for lock at robust.c:137, which end_with_lock still held when it ended.")
    }

    @Test func `a reader that reads again waits for a writer that waits, if writers are preferred`() throws {
        try CProgram("robust").explore(arguments: ["writers"]).exits(with: 1).prints("deadlock: ")
    }

    @Test func `without threadlab they run as usual`() throws {
        let program = try CProgram("robust")
        // Not "leaves": the C library itself crashes when a mutex that cannot be mended is unlocked.
        for which in ["mends", "recursive", "readers", "inherits"] { try program.alone([which]).succeeds() }
    }
}
