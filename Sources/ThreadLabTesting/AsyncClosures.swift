// Overloads for closures with `await`, which cannot run here. They exist only for the compiler's message.

@available(
    *, unavailable,
    message: "the scheduler does not control tasks and actors yet: give it a closure without 'await', with threads"
)
@discardableResult
public func explore(
    _ search: ScheduleSearch? = nil, time: Duration? = nil, executions: Int? = nil,
    expecting expected: OutcomeKind = .completed, rules: RunRules? = nil, _ body: () async throws -> Void
) throws -> ExplorationResult {
    preconditionFailure("the compiler refuses calls")
}

@available(
    *, unavailable,
    message: "a run has threads of its own, without tasks and actors: give it a closure without 'await'"
)
public func run(
    timeout: Duration = .seconds(10), expecting expected: OutcomeKind = .completed, _ body: () async throws -> Void
) throws {
    preconditionFailure("the compiler refuses calls")
}

@available(
    *, unavailable,
    message: "the scheduler does not control tasks and actors yet: give it a closure without 'await', with threads"
)
public func replay(
    _ schedule: String, expecting expected: OutcomeKind = .completed, rules: RunRules = RunRules(),
    _ body: () async throws -> Void
) throws {
    preconditionFailure("the compiler refuses calls")
}
