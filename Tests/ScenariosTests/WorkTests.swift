import Authoring
import Execution
import Exploration
import Machine
import Scenarios
import Support
import Testing
import Trace

/// What a variant that measures does between two looks at the clock.
@Suite struct WorkTests {
    enum Subject {
        /// Work of the processor.
        case work
        /// Steps, each of which is recorded.
        case steps
        /// Waits, for a time that this option sets.
        case waits(String)
        /// Nothing: it counts.
        case amounts
    }

    /// Every variant of every scenario that reads a meter.
    static let subjects: [String: Subject] = [
        "too-small-to-thread --variant threads": .work, "too-small-to-thread --variant calls": .work,
        "spin-or-block --variant measured": .work, "partition-measured --variant compare": .work,
        "partition-measured --variant own-parts": .work, "partition-measured --variant one-lock": .steps,
        "partition-measured --variant striped": .steps, "partition-measured --variant no-lock": .steps,
        "seven-ways --variant measured": .waits("pause"), "cancellation --variant measured": .waits("chunk"),
        "atomic-property --variant measured": .waits("hold"), "sync-async-mix --variant measured": .waits("work"),
        "backpressure --variant measured": .waits("work"), "entry-routine --variant measured": .amounts,
    ]

    static let working: [String] = subjects.filter { if case .work = $1 { true } else { false } }.keys.sorted()

    static let waiting: [(String, String)] = subjects.compactMap { line, subject in
        if case .waits(let option) = subject { (line, option) } else { nil }
    }

    @Test func `a variant that measures says what`() throws {
        var measuring: Set<String> = []
        for setting in ExpectationTests.everyVariant {
            let trace = try setting.trace(seed: 1)
            if trace.events.contains(where: \.kind.isReading) { measuring.insert(setting.testDescription) }
        }
        #expect(measuring == Set(Self.subjects.keys))
    }

    @Test(arguments: ExpectationTests.everyVariant)
    func `work of which one unit is left out is an assertion`(setting: Setting) throws {
        let isWork = Self.working.contains(setting.testDescription)
        guard var scenario = try setting.make() as? any WorkingScenario else {
            #expect(!isWork)
            return
        }
        func outcome() -> OutcomeKind? {
            scenario.outcome(on: ControlledRuntime(chooser: RandomWalk(seed: 1), rules: Rules()))
        }
        let whole = outcome()
        scenario.work.omitted = 1
        #expect(outcome() == (isWork ? .assertion : whole))
        #expect(!isWork || whole == .completed)
    }

    @Test(arguments: waiting)
    func `twice the wait takes twice the time of the scheduler's clock`(line: String, option: String) throws {
        func times(_ milliseconds: Int) throws -> [Int64] {
            try (1...20).flatMap { seed in
                try Setting("\(line) --\(option) \(milliseconds)ms").trace(seed: UInt64(seed)).events
                    .filter { $0.kind == .meterTime }.map(\.value)
            }
        }
        let once = try times(10)
        #expect(once.contains { $0 > 0 })
        #expect(try times(20) == once.map { 2 * $0 })
    }

    /// The compiler sees to it that a result is used: it is not discardable. So a loop could only be one of the
    /// scenario's own, without a step.
    @Test func `no scenario that measures has a loop that only computes, or drops the result of work`() {
        let paths = Repository.paths(in: "Sources/Scenarios", ending: ".swift")
            .filter { Repository.text(of: $0)?.contains("Meter(") == true }
        #expect(paths.count == Set(Self.subjects.keys.map { $0.prefix { $0 != " " } }).count)
        for path in paths {
            let text = Repository.text(of: path) ?? ""
            for word in ["&*", "&+", "&-", "withExtendedLifetime", "_ = work.", "_ = try work."] {
                #expect(!text.contains(word), "\(path): '\(word)'")
            }
            for loop in text.split(separator: "for _ in ", omittingEmptySubsequences: false).dropFirst() {
                #expect(Self.body(of: loop).contains("try "), "\(path): for _ in \(loop.prefix(80))")
            }
        }
    }

    /// What is in the first braces.
    private static func body(of loop: Substring) -> Substring {
        guard let start = loop.firstIndex(of: "{") else { return "" }
        var depth = 0
        for index in loop[start...].indices {
            if loop[index] == "{" { depth += 1 }
            if loop[index] == "}" { depth -= 1 }
            if depth == 0 { return loop[start...index] }
        }
        return loop[start...]
    }

    // MARK: - Work itself

    @Test(arguments: [0, 1, 2, 3, 7, 64, 1000, 1_000_003])
    func `the result of work is computed in two ways`(units: Int) throws {
        for number in [0, 1, -5, Int.max] {
            #expect(try Work().perform(units, from: number) == Work.result(of: units, from: number))
        }
        #expect(Work().count(to: units) == units)
    }

    @Test func `work continues from its result`() throws {
        let half = try Work().perform(30, from: 9)
        #expect(try Work().perform(12, from: half) == Work.result(of: 42, from: 9))
        #expect(half != Work.result(of: 29, from: 9) && half != Work.result(of: 31, from: 9))
    }

    @Test func `work that is not all done is an error`() {
        var work = Work()
        work.omitted = 1
        #expect(throws: AssertionFailed.self) { try work.perform(5, from: 1) }
        #expect(work.count(to: 5) == 4)
    }
}
