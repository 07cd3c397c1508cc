import Execution
import Primitives

/// Performs an operation for a caller that cannot receive an error, because the system's function does not throw. An
/// error ends the calling thread where it is, and leaks what is on its stack.
///
/// Two kinds of callers must not be ended: a `deinit` that runs after the end of the run, or while it ends (`Belated`);
/// and a thread that does not belong to the run (`ForeignThread`). For them, the call has no effect and returns.
@inline(__always)
package func must(_ operation: () throws -> Void) {
    do { try operation() } catch { endUnlessExcused(error) }
}

/// Performs an operation with a result, and treats errors like the function above.
///
/// - Parameter instead: the result of a call that has no effect. Evaluated only for such a call.
@inline(__always)
package func must<Result>(orElse instead: @autoclosure () -> Result, _ operation: () throws -> Result) -> Result {
    do { return try operation() } catch {
        endUnlessExcused(error)
        return instead()
    }
}

/// Makes an object. An error ends the calling thread in any case, because there is no substitute for the object.
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
    /// The equality of `NSObject`, which Foundation's classes inherit: an object equals only itself.
    public protocol Identified: AnyObject, Hashable {}
}

extension Lab.Identified {
    public static func == (a: Self, b: Self) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
