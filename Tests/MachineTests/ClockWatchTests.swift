import Testing

@testable import Machine

/// Time passes beside threads that repeat themselves: where an execution closes a cycle that is fair, and throughout which a thread
/// waits for time.
@Suite struct ClockWatchTests {
    /// A spinning thread, one that sleeps, and one that can step too.
    private final class Execution {
        let bench: Bench
        var watch = ClockWatch()
        var threads: [UInt16]

        init(others: [UInt16] = []) {
            bench = Bench(threads: 4)
            bench.state.announce(1, Operation(.sleepUntil, 0, 100, 100))
            threads = [0] + others
        }

        /// Reaches a state with this hash. Returns whether time may pass there.
        func reach(_ hash: UInt64, _ fairness: Rules.Fairness = .strong) -> Bool {
            threads.withUnsafeBufferPointer { watch.add(bench.state, hash: hash, enabled: $0) }
            return watch.isInCycle(fairness)
        }

        func step(_ thread: Int) { watch.noteStep(of: thread) }
    }

    @Test func `a state that comes again closes a cycle`() {
        let execution = Execution()
        #expect(!execution.reach(1))
        execution.step(0)
        #expect(!execution.reach(2))
        execution.step(0)
        #expect(execution.reach(1))
    }

    @Test(arguments: Rules.Fairness.allCases)
    func `a cycle in which a thread that can step does not is none`(_ fairness: Rules.Fairness) {
        let execution = Execution(others: [2])
        for _ in 0..<50_000 {
            #expect(!execution.reach(1, fairness))
            execution.step(0)
        }
        execution.step(2)
        #expect(execution.reach(1, fairness))
    }

    @Test func `a thread that cannot step everywhere is owed a step by strong fairness only`() {
        for fairness in Rules.Fairness.allCases {
            let execution = Execution(others: [2])
            _ = execution.reach(1, fairness)
            execution.step(0)
            execution.threads = [0]
            _ = execution.reach(2, fairness)
            execution.step(0)
            execution.threads = [0, 2]
            #expect(execution.reach(1, fairness) == (fairness == .weak))
        }
    }

    @Test func `a thread that waits again is not one that waited throughout`() {
        let execution = Execution()
        _ = execution.reach(1)
        execution.step(0)
        _ = execution.reach(2)
        execution.step(1)
        #expect(!execution.reach(1))
        execution.step(0)
        #expect(!execution.reach(2))
        execution.step(0)
        #expect(execution.reach(1))
    }

    @Test func `a moment that has come is not waited for`() {
        let execution = Execution()
        _ = execution.bench.state.passTime()
        #expect(!execution.reach(1))
        execution.step(0)
        #expect(!execution.reach(1))
    }

    @Test func `nothing is said of states that there is no room for`() {
        let execution = Execution()
        for number in 0..<1 << 17 {
            let hash = number < 40_000 ? UInt64(number) : 7
            #expect(execution.reach(hash) == (number >= 40_000 && number < (1 << 16) - 1))
            execution.step(0)
        }
    }
}
