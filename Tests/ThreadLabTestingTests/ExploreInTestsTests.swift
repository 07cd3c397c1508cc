import Authoring
import Testing
import ThreadLabTesting

@testable import Scenarios

/// `explore` as a test of another package calls it.
@Suite struct ExploreInTestsTests {
    /// Two threads that take two locks in different orders.
    static func oppositeOrders() throws {
        let a = Mutex("a")
        let b = Mutex("b")
        let other = try Thread("other") { try b.withLock { try a.withLock {} } }
        try a.withLock { try b.withLock {} }
        try other.join()
    }

    /// Two threads that each add one, in two steps.
    static func lostUpdate() throws {
        let count = Atomic("count", 0)
        let other = try Thread("other") { try count.store(try count.load() + 1) }
        try count.store(try count.load() + 1)
        try other.join()
        try check(try count.load() == 2)
    }

    @Test func `every order of a program without a fault is tried`() throws {
        let result = try explore {
            let count = Atomic("count", 0)
            let other = try Thread("other") { try count.add(1) }
            try count.add(1)
            try other.join()
            try check(try count.load() == 2)
        }
        #expect(result.triedEveryOrder)
        #expect(result.findings.isEmpty)
        #expect(result.different == 2)
    }

    @Test func `a failure says what happened, shows the lanes, and ends with the call that repeats it`() {
        let text = issueText { try explore { try Self.oppositeOrders() } }
        #expect(text.hasPrefix("deadlock: "))
        #expect(text.contains("other  waits for a"))
        #expect(text.contains(#"Replay: try replay("0x2,1x2") { … }"#))
    }

    @Test func `the call that a failure shows repeats it`() {
        let text = issueText { try replay("0x2,1x2") { try Self.oppositeOrders() } }
        #expect(text.hasPrefix("deadlock: "))
    }

    @Test func `what happens before the first step has an empty schedule`() {
        #expect(issueText { try explore { try check(false, "at once") } }.contains(#"try replay("") { … }"#))
        #expect(issueText { try replay("") { try check(false, "at once") } }.contains("at once"))
    }

    @Test func `a failed check without a message names its line`() {
        let text = issueText { try explore { try Self.lostUpdate() } }
        #expect(text.hasPrefix("assertion: "))
        #expect(text.contains("ExploreInTestsTests.swift:24"))
    }

    @Test func `a schedule that does not fit any more fails the test, and says where`() {
        #expect(
            issueText { try replay("0x2,7") { try Self.oppositeOrders() } }.contains("does not fit any more: choice 3"))
    }

    @Test func `a schedule that cannot be read is an error of the call`() {
        #expect(throws: TestingError.self) { try replay("left, right") { try Self.oppositeOrders() } }
    }

    @Test func `what is expected to fail must be found`() throws {
        let result = try explore(expecting: .deadlock) { try Self.oppositeOrders() }
        #expect(result.findings.map(\.outcome) == [.deadlock])
        let text = issueText { try explore(expecting: .deadlock) {} }
        #expect(text == "no execution ended in deadlock, of 1 execution, which stand for all that there are")
    }

    @Test func `a search that has to prove and cannot fails, unless that is accepted`() throws {
        func large() throws {
            let count = Atomic("count", 0)
            let threads = try (1...4).map { number in
                try Thread("adder \(number)") { for _ in 1...6 { try count.add(1) } }
            }
            for thread in threads { try thread.join() }
        }
        let text = issueText { try explore(.exhaustive, time: .milliseconds(20)) { try large() } }
        #expect(text.hasPrefix("no schedule was found that fails, but not all were tried"))
        let result = try explore(.exhaustive.orIncomplete, time: .milliseconds(20)) { try large() }
        #expect(!result.triedEveryOrder && result.different == nil)
    }

    /// A class whose lock was forgotten.
    final class Plain: @unchecked Sendable {
        var count = 0
    }

    @Test func `a race on a plain variable is not seen, and the result says that it was not looked for`() throws {
        let result = try explore {
            let plain = Plain()
            let other = try Thread("other") { plain.count += 1 }
            plain.count += 1
            try other.join()
        }
        #expect(result.triedEveryOrder)
        #expect("\(result)".contains("plain variables, which are no steps, were not looked at"))
    }

    @Test func `a result is a sentence, with a line for each finding`() throws {
        let result = try explore(expecting: .deadlock) { try Self.oppositeOrders() }
        let lines = "\(result)".split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("1 finding in \(result.executions) executions"))
        #expect(lines[0].hasSuffix("Not every order of the lab's steps was tried."))
        #expect(lines[1].hasPrefix("- deadlock in execution \(result.findings[0].execution), schedule \""))
    }

    @Test func `a closure that depends on more than its schedule is refused`() {
        var runs = 0
        let text = issueText {
            try explore {
                runs += 1
                let mutex = Mutex("m")
                for _ in 0..<runs { try mutex.withLock {} }
            }
        }
        #expect(text.contains("does not do the same every time"))
    }

    @Test(
        arguments: [
            .automatic, .exhaustive, .random(executions: 100), .pct(depth: 2, executions: 1000), .pos(executions: 100),
            .preemptions(upTo: 1),
        ] as [ScheduleSearch])
    func `each strategy finds the lost update`(_ search: ScheduleSearch) throws {
        try explore(search, expecting: .assertion) { try Self.lostUpdate() }
    }

    @Test func `the same seed tries the same schedules`() throws {
        func found(_ seed: UInt64) throws -> Int {
            try explore(.random(executions: 1000, seed: seed), expecting: .assertion) { try Self.lostUpdate() }
                .findings[0].execution
        }
        #expect(try found(7) == found(7))
    }

    @Test func `what each execution saw can be collected`() throws {
        var seen: Set<Int> = []
        try explore {
            let count = Atomic("count", 0)
            let other = try Thread("other") { try count.store(2) }
            try count.store(1)
            try other.join()
            seen.insert(try count.load())
        }
        #expect(seen == [1, 2])
    }

    @Test func `rules widen what can happen, and the replay repeats them`() throws {
        func trusting() throws {
            let mutex = Mutex("m")
            let condition = Condition("c")
            let isReady = Shared("ready", false)
            let waiter = try Thread("waiter") {
                try mutex.withLock {
                    if try !isReady.read() { try condition.wait(with: mutex) }
                    try check(try isReady.read())
                }
            }
            try mutex.withLock {
                try isReady.write(true)
                try condition.signal()
            }
            try waiter.join()
        }
        try explore(rules: RunRules(spuriousWakeups: 0)) { try trusting() }
        for rules in [RunRules(spuriousWakeups: 1), RunRules()] {
            let text = issueText { try explore(rules: rules) { try trusting() } }
            #expect(text.contains("rules: RunRules(spuriousWakeups: 1)) { … }"))
        }
    }

    @Test func `a scenario is explored with the variant that was set`() throws {
        var scenario = Deadlock()
        scenario.variant = .ordered
        #expect(try explore(scenario).triedEveryOrder)
        scenario.variant = .oppositeOrders
        #expect(try explore(scenario).findings.map(\.outcome) == [.deadlock])
    }

    @Test(arguments: [ScheduleSearch.automatic, .isolated])
    func `a warning that a scenario promises must be seen`(_ search: ScheduleSearch) throws {
        var scenario = PriorityInversion()
        scenario.variant = .unnoticed
        try explore(scenario, search, time: .seconds(600))
        let text = issueText { try explore(EmptyPromise(), search, time: .seconds(600)) }
        #expect(
            text.hasSuffix("in some runs with warning starvation, but none of 100 random executions showed starvation"))
    }

    private struct EmptyPromise: Scenario {
        static let name = "empty-promise"
        static let summary = "A thread that does nothing."
        static let lesson = "Nothing starves."
        static let source = #filePath

        enum Variant: String, ScenarioVariant {
            case only
            var summary: String { "does nothing" }
            var expectation: Authoring.Expectation { .may(warning: .starvation) }
        }

        @Parameter("what it does") var variant = Variant.only

        func run() throws { try Thread {}.join() }
    }

    @Test(
        arguments: [ScheduleSearch.automatic, .isolated])
    func `locks taken in different orders are found where that is expected`(_ search: ScheduleSearch) throws {
        // Time keeps the threads apart, which other machines may not.
        func inOrder(_ first: String, _ second: String) throws {
            let locks = ["a": Mutex("a"), "b": Mutex("b")]
            let other = try Thread { try locks["a"]!.withLock { try locks["b"]!.withLock {} } }
            try Thread.sleep(for: .milliseconds(1))
            try locks[first]!.withLock { try locks[second]!.withLock {} }
            try other.join()
        }
        let result = try explore(search, time: .seconds(600), expecting: .lockOrder) { try inOrder("b", "a") }
        #expect(result.findings.map(\.outcome) == [.lockOrder])
        if let found = result.findings.first {
            try replay(found.schedule, expecting: .lockOrder) { try inOrder("b", "a") }
        }
        let text = issueText {
            try explore(search, time: .seconds(600), expecting: .lockOrder) { try inOrder("a", "b") }
        }
        #expect(text.hasPrefix("no execution ended in lock-order"))
    }

    @Test func `an exploration inside one is refused`() {
        let text = issueText { try explore { try explore {} } }
        #expect(text.contains("'explore' is called by code that is being run or explored"))
    }

    @Test(arguments: 1...16) func `many tests explore at once`(_ number: Int) throws {
        try explore(.random(executions: 200, seed: UInt64(number)), expecting: .assertion) { try Self.lostUpdate() }
    }

    @Test func `a primitive from outside the closure is an error with advice`() {
        let mutex = Mutex("m")
        #expect(issueText { try explore { try mutex.withLock {} } }.contains("create it in the code that is run"))
    }
}
