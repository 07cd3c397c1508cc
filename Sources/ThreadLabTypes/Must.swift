import Execution
import Primitives

// Operations for callers that cannot receive their errors, because the system's functions do not throw. An error ends the
// calling thread where it is: what is on its stack is leaked. Two callers must not be ended: a `deinit` that comes too
// late, because its object outlives the run or dies with it (`Belated`); and a thread that does not belong to the run
// (`ForeignThread`). What they call has no effect, and returns.

@inline(__always)
package func must(_ operation: () throws -> Void) {
    do { try operation() } catch { endUnlessExcused(error) }
}

/// - Parameter instead: what it returns if it has no effect.
@inline(__always)
package func must<Result>(orElse instead: @autoclosure () -> Result, _ operation: () throws -> Result) -> Result {
    do { return try operation() } catch {
        endUnlessExcused(error)
        return instead()
    }
}

/// Makes an object, which has no substitute: making one has no effect on others.
@inline(__always)
package func mustMake<Object>(_ make: () throws -> Object) -> Object {
    do { return try make() } catch { end(error) }
}

@inline(never)
private func endUnlessExcused(_ error: any Error) {
    if error is ForeignThread || Belated.excuses(error) { return }
    end(error)
}

@inline(never)
private func end(_ error: any Error) -> Never {
    ThreadContext.runtime.with { runtime -> Never in runtime.endCaller(with: error) }
}

extension Lab {
    /// What Foundation's classes have from `NSObject`: an object equals itself alone.
    public protocol Identified: AnyObject, Hashable {}
}

extension Lab.Identified {
    public static func == (a: Self, b: Self) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
