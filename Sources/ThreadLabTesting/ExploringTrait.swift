import Testing

/// What the searches of a test, or of all tests of a suite, are: see `Trait.exploring`.
public struct ExploringTrait: TestTrait, SuiteTrait {
    let request: SearchRequest

    public var isRecursive: Bool { true }
}

extension Trait where Self == ExploringTrait {
    /// What calls of `explore` in this test, or in the tests of this suite, ask for if they say nothing else.
    ///
    /// ```swift
    /// @Suite(.exploring(time: .seconds(30))) struct QueueTests {
    ///     @Test(.exploring(.exhaustive)) func noElementIsLost() throws { try explore { … } }
    /// }
    /// ```
    ///
    /// Each argument counts by itself: an argument of the call before one of its test's trait, and that before one of a
    /// suite's trait. The environment counts before all of them.
    ///
    /// - Parameters:
    ///   - search: which schedules to try.
    ///   - time: the limit for each search.
    ///   - executions: the limit for each search, from 1.
    ///   - rules: what may happen beyond what the program itself leaves open.
    public static func exploring(
        _ search: ScheduleSearch? = nil, time: Duration? = nil, executions: Int? = nil, rules: RunRules? = nil
    ) -> Self {
        Self(request: SearchRequest(search: search, time: time, executions: executions, rules: rules))
    }
}

/// What a call or a trait asks of a search. Nil: it leaves that open.
struct SearchRequest: Sendable {
    var search: ScheduleSearch?
    var time: Duration?
    var executions: Int?
    var rules: RunRules?

    /// What is still open is as the traits of the running test say, the nearest first.
    var inTest: SearchRequest {
        let traits = (Test.current?.traits ?? []).compactMap { $0 as? ExploringTrait }
        // Those of suites come before the test's own.
        return traits.reversed().reduce(self) { $0.completed(by: $1.request) }
    }

    private func completed(by other: SearchRequest) -> SearchRequest {
        SearchRequest(
            search: search ?? other.search, time: time ?? other.time, executions: executions ?? other.executions,
            rules: rules ?? other.rules)
    }
}
