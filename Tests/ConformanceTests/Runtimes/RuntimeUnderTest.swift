/// A runtime that the cases run on.
protocol RuntimeUnderTest {
    /// Runs the body once, as the main thread of a run, to its end.
    func run(_ body: @escaping @Sendable () throws -> Void) -> RunResult
}

struct RunResult {
    var ending: Ending
    /// Whether the events show two accesses that nothing orders.
    var hasRace = false
    /// To find the reason: what happened, or how to repeat it.
    var story: String
}
