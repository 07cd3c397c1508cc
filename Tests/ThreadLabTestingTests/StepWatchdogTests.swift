import Authoring
import Glibc
import Testing

import struct Synchronization.Atomic

@testable import Supervision
@testable import ThreadLabTesting

/// Code under test that loops without a step, in the test's own process. Time passes when it does, a minute at each look,
/// so that the tests take no time and depend on none.
@Suite struct StepWatchdogTests {
    private static func settings(_ call: String, limit: UInt64 = 60_000_000_000) -> StepWatchdog.Settings {
        let place = CallPlace(
            fileID: "Tests/BankTests.swift", filePath: "BankTests.swift", line: 12, column: 3, function: "spins()")
        var settings = StepWatchdog.Settings.explaining(call, at: place, limit: limit)
        let time = Counter()
        settings.interval = 1_000_000
        settings.now = { Self.spins.load(ordering: .acquiring) * time.next() * 60_000_000_000 }
        return settings
    }

    /// Used by the watchdog's thread alone.
    private final class Counter: @unchecked Sendable {
        private var value: UInt64 = 0

        func next() -> UInt64 {
            value += 1
            return value
        }
    }

    /// Whether the loop below has begun: 1, which is also the time of a run's clock.
    private static let spins = Synchronization.Atomic<UInt64>(0)

    /// The line of the last operation below. Within an exit test all lines are the test's.
    private static let lastLine = line() + 3

    private static func lockAndSpin() throws {
        try Mutex("m").lock()
        spins.store(1, ordering: .releasing)
        while true {}
    }

    /// It takes seconds.
    private static func omitBacktrace() { signal(SIGTRAP, SIG_DFL) }

    private static func search(limit: UInt64 = 60_000_000_000, _ body: @escaping () throws -> Void) throws {
        let watchdog = StepWatchdog(settings("explore", limit: limit), try RunRules().machineRules())
        defer { watchdog.stop() }
        var plan = SearchPlan(ClosureProgram(.completed, body))
        plan.rules = try RunRules().machineRules()
        _ = try LocalSearch.run(plan, log: watchdog.log)
    }

    @Test func `an endless loop ends the process, with the thread, its last line, and what to do`() async throws {
        let result = await #expect(processExitsWith: .signal(SIGTRAP), observing: [\.standardErrorContent]) {
            Self.omitBacktrace()
            try Self.search { try Thread("other") { try Self.lockAndSpin() }.join() }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("'explore' at Tests/BankTests.swift:12 has taken no step for 60 s, so this process ends"))
        #expect(text.contains("Thread 1, in the order of creation, has computed"))
        #expect(text.contains("StepWatchdogTests.swift:\(Self.lastLine)"))
        #expect(text.contains("explore it with '.isolated'"))
        #expect(text.contains("THREADLAB_STEP_TIME=10m"))
    }

    @Test func `so does one before the first step`() async throws {
        let result = await #expect(processExitsWith: .signal(SIGTRAP), observing: [\.standardErrorContent]) {
            Self.omitBacktrace()
            try Self.search {
                Self.spins.store(1, ordering: .releasing)
                while true {}
            }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(
            text.contains(
                "The main thread has computed, or waited for something that is not of the lab, since its beginning"))
    }

    @Test func `without a limit nothing is watched`() throws {
        try Self.search(limit: 0) { try Thread {}.join() }
    }

    @Test func `so does one on real threads, some time after the limit of the run`() async throws {
        let result = await #expect(processExitsWith: .signal(SIGTRAP), observing: [\.standardErrorContent]) {
            Self.omitBacktrace()
            let program = ClosureProgram(.completed, Self.lockAndSpin)
            var plan = RunPlan(program, .native, timeout: 1)
            plan.clock = { Self.spins.load(ordering: .acquiring) }
            _ = try LocalNativeRun.run(plan, Self.settings("run"))
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("'run' at Tests/BankTests.swift:12 has taken no step for 60 s"))
        #expect(text.contains("StepWatchdogTests.swift:\(Self.lastLine)"))
        #expect(!text.contains(".isolated"))
    }
}
