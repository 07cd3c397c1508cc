import Support
import Testing

/// Signals that the threads of a compiled program send to each other.
@Suite struct CompiledSignalTests {
    @Test(arguments: ["waits", "keeps", "ignores", "blocks", "other"])
    func `a thread waits for signals, blocks them and handles them`(way: String) throws {
        let program = try CProgram("sent")
        try program.explore(arguments: [way]).exits(with: 0).prints("no finding: ")
        try program.alone([way]).succeeds()
    }

    @Test func `a signal that is handled before the wait for it is a deadlock`() throws {
        try CProgram("sent").explore(arguments: ["loses"]).exits(with: 1).prints("deadlock: main waits for signals")
    }

    @Test func `a signal that nothing handles ends the program`() throws {
        try CProgram("sent").explore(arguments: ["dies"]).exits(with: 1).prints("Fatal error: signal 15")
    }
}
