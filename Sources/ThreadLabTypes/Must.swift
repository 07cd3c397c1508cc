import Execution

/// Performs an operation for a caller that cannot receive its error, because the system's function does not throw. An
/// error ends the calling thread where it is: what is on its stack is leaked.
@inline(__always)
func must<Result>(_ operation: () throws -> Result) -> Result {
    do { return try operation() } catch { end(error) }
}

@inline(never)
private func end(_ error: any Error) -> Never {
    ThreadContext.runtime.with { runtime -> Never in runtime.endCaller(with: error) }
}
