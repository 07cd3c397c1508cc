import Glibc
import Machine
import Primitives
import Testing
import Trace

@testable import Supervision

/// One run, however its process ends.
@Suite struct SupervisorTests {
    enum Runtime: String, Codable, CaseIterable {
        case native, controlled

        var mode: RunPlan.Mode { self == .native ? .native : .controlled(seed: 1) }
    }

    /// Ways for a program to end, with the required result of its run.
    enum End: String, Codable, CaseIterable {
        case well, failure, error, deadlock, abort, kill, exit, interrupted, endless

        var outcome: OutcomeKind {
            switch self {
            case .well: .completed
            case .failure: .assertion
            case .error: .error
            case .deadlock: .deadlock
            case .abort, .kill, .exit: .crash
            case .interrupted: .interrupted
            case .endless: .timeout
            }
        }

        func act(_ mutex: Mutex, _ supervisor: Surroundings.ThreadAddress) throws {
            switch self {
            case .well: return
            case .failure: try check(false, "so it is")
            case .error: throw Failure()
            case .deadlock:
                try mutex.lock()
                try mutex.lock()
            case .abort: Glibc.abort()
            case .kill: Glibc.kill(getpid(), SIGKILL)
            case .exit: Glibc.exit(0)
            case .interrupted:
                supervisor.signal(SIGINT)
                while true { pause() }
            case .endless: while true { pause() }
            }
        }
    }

    struct Failure: Error {}

    @Test(arguments: End.allCases, Runtime.allCases) func `its end is reported, and what it did before`(
        end: End, runtime: Runtime
    ) async {
        await #expect(processExitsWith: .success) { [end, runtime] in
            let supervisor = Surroundings.ThreadAddress()
            let program = Program {
                let mutex = Mutex("m")
                try mutex.withLock { note("begins") }
                try end.act(mutex, supervisor)
            }
            var plan = RunPlan(program, runtime.mode)
            // A run that ends by itself has all the time that it needs.
            plan.timeout = end == .endless ? 1 : .max / 2
            let before = Surroundings.blockedSignals
            let trace = try Supervisor.run(plan).trace
            #expect(trace.outcome?.kind == end.outcome)
            if end != .endless { #expect(trace.events.contains { trace.text(of: $0) == "begins" }) }
            #expect(trace.wasInterrupted == (end == .interrupted))
            #expect(Surroundings.blockedSignals == before)
        }
    }

    @Test(arguments: Runtime.allCases) func `a run whose time is over is reported with the places of its threads`(
        runtime: Runtime
    ) async {
        await #expect(processExitsWith: .success) { [runtime] in
            let news = try Surroundings.makePipe()
            let program = Program {
                let (mutex, condition) = (Mutex("m"), Condition("c"))
                let isThere = try Semaphore("isThere", value: 0)
                _ = try Thread("worker") {
                    try mutex.lock()
                    try isThere.signal()
                    while true { try condition.wait(with: mutex) }
                }
                // Having the lock after the worker means that it waits. A loop that polls would record more than can be read.
                try isThere.wait()
                try mutex.withLock {}
                var byte: UInt8 = 0
                write(news.writer, &byte, 1)
                while true { pause() }
            }
            var plan = RunPlan(program, runtime.mode)
            plan.timeout = 1
            // Its time is over when it is known to have reached this point.
            plan.clock = {
                var poll = pollfd(fd: news.reader, events: Int16(POLLIN), revents: 0)
                return Glibc.poll(&poll, 1, 0) > 0 ? 2 : 0
            }
            let outcome = try #require(try Supervisor.run(plan).trace.outcome)
            #expect(outcome.kind == .timeout)
            #expect(outcome.details.contains { $0.hasPrefix("worker waits for a signal of c at ") })
        }
    }

    @Test func `a run on real threads that records without end is stopped after a number of steps`() async {
        await #expect(processExitsWith: .success) {
            let program = Program {
                let turn = Atomic("turn", 0)
                while true { try turn.store(1) }
            }
            var plan = RunPlan(program, .native, timeout: .max / 2)
            plan.mostEvents = 1000
            let trace = try Supervisor.run(plan).trace
            let outcome = try #require(trace.outcome)
            #expect(outcome.kind == .timeout)
            #expect(outcome.summary.contains("1000 steps"))
            #expect(trace.events.last?.kind == .runStepLimit)
        }
    }

    struct NotSaved: Error {}

    @Test func `the recording's file is there until the trace is saved, and gone then, even if that fails`() async {
        await #expect(processExitsWith: .success) {
            let path = "/tmp/threadlab-supervisor-\(getpid()).recording"
            defer { unlink(path) }
            func exists() -> Bool { access(path, F_OK) == 0 }
            let plan = RunPlan(Program {}, .controlled(seed: 1), recordingPath: path)
            #expect(throws: NotSaved.self) {
                try Supervisor.run(plan) { _ in
                    #expect(exists())
                    throw NotSaved()
                }
            }
            #expect(!exists())
            _ = try Supervisor.run(plan) { _ in #expect(exists()) }
            #expect(!exists())
        }
    }
}
