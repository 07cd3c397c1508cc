import Support
import Testing

/// Signals that the threads of a compiled program send to each other.
@Suite struct CompiledSignalTests {
    @Test(arguments: ["waits", "keeps", "ignores", "blocks", "other", "itself", "numbered", "called"])
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

    @Test(arguments: [
        "self-pipe", "polled", "join", "once", "mutex", "reader", "writer", "spin", "barrier", "permit", "condition",
        "futex",
    ])
    func `the handler of a signal runs while its thread is blocked`(by: String) throws {
        try CProgram("handled").explore("--runs", "60", arguments: [by]).exits(with: 0).prints("no finding: in ")
    }

    @Test(arguments: [
        "read", "poll", "nothing", "ppoll", "select", "pselect", "epoll", "sem", "suspend", "sleep", "wait", "flood",
    ])
    func `a handler ends a call that is not restarted, or the call has not begun yet`(call: String) throws {
        try CProgram("handled").explore("--runs", "60", arguments: [call]).exits(with: 0)
            .prints("no finding: in ")
    }

    @Test(arguments: ["jumps", "nested", "broken"])
    func `a handler jumps with a mask, is interrupted, and is called for a broken pipe`(way: String) throws {
        let program = try CProgram("handled")
        try program.explore(arguments: [way]).exits(with: 0).prints("no finding: in 1 execution")
        try program.alone([way]).succeeds()
    }

    @Test func `a write to a pipe that nothing reads ends the program`() throws {
        try CProgram("handled").explore(arguments: ["dies"]).exits(with: 1).prints("Fatal error: signal 13 in")
    }

    @Test func `a handler that takes a lock that its thread holds is a deadlock`() throws {
        try CProgram("handled").explore(arguments: ["takes"]).exits(with: 1)
            .prints("deadlock: main waits for itself and can never continue.")
    }

    @Test func `one that waits for a lock with a handler names the lock`() throws {
        try CProgram("handled").explore(arguments: ["held"]).exits(with: 1)
            .prints("main waits for release of mutex")
    }

    @Test(arguments: ["late", "idle", "beside"])
    func `a signal for the process goes to any thread that there is when it is sent`(way: String) throws {
        try CProgram("receivers").explore("--strategy", "dpor", "--runs", "2000", arguments: [way])
            .exits(with: 1).prints("assertion:").prints("Found in execution")
    }

    @Test func `a thread that has ended gets no signal`() throws {
        let program = try CProgram("ended")
        try program.explore("--spurious", "0").exits(with: 0)
            .prints("no finding: in 2 executions, 34 steps, the longest execution 18: not a proof.")
        // The wait for a signal can be tried again for no reason.
        try program.explore().exits(with: 0)
            .prints("no finding: in 6 executions, 108 steps, the longest execution 21: not a proof.")
    }

    @Test(arguments: ["ignored", "default", "dropped", "restarts", "polls"])
    func `pending signals are forgotten, and calls are restarted, as POSIX says`(way: String) throws {
        let program = try CProgram("discarded")
        try program.explore("--runs", "300", arguments: [way]).exits(with: 0).prints("no finding: ")
        try program.alone([way]).succeeds()
    }

    @Test func `a handler ends a call if siginterrupt says so`() throws {
        try CProgram("discarded").explore(arguments: ["interrupts"]).exits(with: 1)
            .prints("read(ends[0], &byte, 1) == 1")
    }
}
