import Execution
import Primitives

// Operations for callers that cannot receive their errors, because the system's functions do not throw. An error ends
// the calling thread where it is: what is on its stack is leaked. Not so in a `deinit` that comes too late, because its
// object outlives the run or dies with it: there the operation does nothing, and returns.

@inline(__always)
func must<Result>(_ operation: () throws -> Result) -> Result {
    do { return try operation() } catch { end(error) }
}

@inline(__always)
func must(_ operation: () throws -> Void) {
    do { try operation() } catch { endUnlessBelated(error) }
}

/// - Parameter instead: what it returns if it comes too late.
@inline(__always)
func must<Result>(orElse instead: @autoclosure () -> Result, _ operation: () throws -> Result) -> Result {
    do { return try operation() } catch {
        endUnlessBelated(error)
        return instead()
    }
}

/// Runs the body with the mutex held; if it comes too late, without.
func must<Result>(
    hold mutex: Primitives.Mutex, file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
) -> Result {
    var result: Result?
    must { try mutex.withLock(file: file, line: line) { result = try body() } }
    return result ?? must(body)
}

@inline(never)
private func endUnlessBelated(_ error: any Error) {
    if !Belated.excuses(error) { end(error) }
}

@inline(never)
private func end(_ error: any Error) -> Never {
    ThreadContext.runtime.with { runtime -> Never in runtime.endCaller(with: error) }
}
