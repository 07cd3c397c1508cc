import Execution

/// Performs an operation for a caller that cannot receive its error, because the system's function does not throw. An
/// error ends the calling thread where it is: what is on its stack is leaked.
@inline(__always)
func must<Result>(_ operation: () throws -> Result) -> Result {
    do { return try operation() } catch { return instead(error) }
}

/// What the caller gets in place of a result, if it gets anything.
@inline(never)
private func instead<Result>(_ error: any Error) -> Result {
    if error is ForeignThread, let nothing = Nothing.result(Result.self) { return nothing }
    ThreadContext.runtime.with { runtime -> Never in runtime.endCaller(with: error) }
}

/// What a call returns that had no effect.
private enum Nothing {
    /// Nil: there is no such value of the type.
    static func result<Result>(_ type: Result.Type) -> Result? {
        let values: [Any] = [(), false, 0]
        return values.lazy.compactMap { $0 as? Result }.first
    }
}
