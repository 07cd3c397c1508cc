import Authoring
import Testing
import ThreadLabTesting

@Suite(.exploring(.random(seed: 3), executions: 40)) struct ExploringTraitTests {
    /// Far more orders than any search here may try.
    static func large() throws {
        let count = Atomic("count", 0)
        try concurrently(4) { _ in for _ in 1...6 { try count.add(1) } }
    }

    @Test func `a search is as the trait of the suite says`() throws {
        #expect(try explore { try Self.large() }.executions == 40)
    }

    @Test(.exploring(executions: 30)) func `what a test's trait says comes before the suite's`() throws {
        #expect(try explore { try Self.large() }.executions == 30)
    }

    @Test(.exploring(.pos(), time: .seconds(600), executions: 30))
    func `what the call says comes before the traits`() throws {
        #expect(try explore(executions: 20) { try Self.large() }.executions == 20)
    }

    @Test(.exploring(.exhaustive, executions: 100)) func `a trait can ask for a proof`() throws {
        let text = issueText { try explore { try Self.large() } }
        #expect(text.hasPrefix("no schedule was found that fails, but not all were tried: 100 executions, "))
        #expect(text.contains("Allow more executions, "))
    }

    @Test(.exploring(.exhaustive, executions: 100, rules: RunRules(spuriousWakeups: 1)))
    func `a trait has rules, and a failure's call repeats them`() {
        let text = issueText {
            try explore {
                let mutex = Mutex("m")
                let condition = Condition("c")
                let waiter = try Thread("waiter") { try mutex.withLock { try condition.wait(with: mutex) } }
                try waiter.join()
                try check(false)
            }
        }
        #expect(text.contains("rules: RunRules(spuriousWakeups: 1)) { … }"))
    }

    @Suite struct Inner {
        @Test func `the trait of a suite is also that of the suites in it`() throws {
            #expect(try explore { try ExploringTraitTests.large() }.executions == 40)
        }
    }
}
