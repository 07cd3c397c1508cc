import Testing

/// The settings of searches in a test, or in all tests of a suite: see `Trait.exploring`.
public struct ExploringTrait: TestTrait, SuiteTrait {
    let request: SearchRequest

    public var isRecursive: Bool { true }
}

extension Trait where Self == ExploringTrait {
    /// Settings for calls of `explore` in this test, or in the tests of this suite, that leave them out.
    ///
    /// ```swift
    /// @Suite(.exploring(time: .seconds(30))) struct QueueTests {
    ///     @Test(.exploring(.exhaustive)) func noElementIsLost() throws { try explore { … } }
    /// }
    /// ```
    ///
    /// Each setting is looked up separately: in the environment, then in the call, in the test's trait, and in the
    /// traits of its suites.
    ///
    /// - Parameters:
    ///   - search: the schedules to try.
    ///   - time: the time limit of each search.
    ///   - executions: the limit of executions of each search, from 1.
    ///   - rules: additional behavior that the program's code does not determine.
    public static func exploring(
        _ search: ScheduleSearch? = nil, time: Duration? = nil, executions: Int? = nil, rules: RunRules? = nil
    ) -> Self {
        Self(request: SearchRequest(search: search, time: time, executions: executions, rules: rules))
    }
}

/// The settings in a call or a trait. Nil: left open.
struct SearchRequest: Sendable {
    var search: ScheduleSearch?
    var time: Duration?
    var executions: Int?
    var rules: RunRules?

    /// The settings, where those left open are taken from the running test's traits, the nearest first.
    var inTest: SearchRequest {
        let traits = (Test.current?.traits ?? []).compactMap { $0 as? ExploringTrait }
        // The traits of suites come before the test's own.
        return traits.reversed().reduce(self) { $0.completed(by: $1.request) }
    }

    private func completed(by other: SearchRequest) -> SearchRequest {
        SearchRequest(
            search: search ?? other.search, time: time ?? other.time, executions: executions ?? other.executions,
            rules: rules ?? other.rules)
    }
}
