import Synchronization
import Testing
import ThreadLabTesting

@Suite struct LimitTests {
    @Test func `a search that ends at its limit has a warning that says what was tried`() {
        let text = issueText { try explore(executions: 300) { try ExploringTraitTests.large() } }
        #expect(text.hasPrefix("no schedule was found that fails, but not all were tried: 300 executions, "))
        #expect(text.contains("random executions had"))
        #expect(text.hasSuffix("Allow more executions, make the program smaller, or accept this with '.orIncomplete'."))
    }

    @Test func `so has one in a process of its own`() {
        let text = issueText { try explore(.isolated, executions: 300) { try ExploringTraitTests.large() } }
        #expect(text.hasPrefix("no schedule was found that fails, but not all were tried: 300 executions, "))
    }

    @Test func `a warning does not fail the test`() throws {
        #if compiler(>=6.3)
            let severities = Synchronization.Mutex<[Issue.Severity]>([])
            try withKnownIssue {
                try explore(executions: 10) { try ExploringTraitTests.large() }
            } matching: { issue in
                severities.withLock { $0.append(issue.severity) }
                return true
            }
            #expect(severities.withLock { $0 } == [.warning])
        #endif
    }

    @Test(arguments: [ScheduleSearch.automatic.orIncomplete, .random(), .pct(), .pos(), .exhaustive.orIncomplete])
    func `a search that need not try everything has no warning`(_ search: ScheduleSearch) throws {
        #expect(try explore(search, executions: 10) { try ExploringTraitTests.large() }.executions == 10)
    }

    @Test func `a search of fewer preemptions is complete without all orders`() throws {
        let result = try explore(.preemptions(upTo: 0)) { try ExploringTraitTests.large() }
        #expect(!result.triedEveryOrder)
    }

    @Test func `the same number of executions is the same search`() throws {
        func steps() throws -> Int {
            try explore(.automatic.orIncomplete, executions: 200) { try ExploringTraitTests.large() }.steps
        }
        #expect(try steps() == steps())
    }

    @Test func `a search is described as it is written`() {
        #expect("\(ScheduleSearch.exhaustive.orIncomplete)" == ".exhaustive.orIncomplete")
        #expect(
            "\(ScheduleSearch.random(executions: 5, seed: 2).isolated)" == ".random(executions: 5, seed: 2).isolated")
        #expect("\(ScheduleSearch.preemptions(upTo: 2))" == ".preemptions(upTo: 2)")
    }

    @Test func `a number of executions below one is refused`() {
        let error = #expect(throws: TestingError.self) { try explore(executions: 0) {} }
        #expect(error?.description == "'executions' is 0: it must be a number from 1")
    }
}
