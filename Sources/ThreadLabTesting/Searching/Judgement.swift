/// What a search or a replay says of a program, and what that means for the test.
struct Judgement {
    let result: ExplorationResult
    /// Nil: the test passes.
    var failure: TestFailure?
    /// What the test passes with.
    var warning: String?
}
