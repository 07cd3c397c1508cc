import Execution
import Recipes
import Trace

/// A place where threads wait for each other: when as many have come as it is made for, all continue (POSIX `pthread_barrier_t`).
///
/// It can be used again at once. A thread that is fast waits in the next round, for as many threads as before.
public final class Barrier: Sendable {
    private let object: BuiltObject
    private static let wait = Recipe.barrier.method("wait").operation

    /// - Parameters:
    ///   - name: what traces call it. Made unique within the run.
    ///   - parties: how many threads each round waits for.
    /// - Throws: `Misuse` `invalid-value` (POSIX `EINVAL`), if that is less than 1.
    public init(_ name: String? = nil, parties: Int, file: StaticString = #fileID, line: UInt = #line) throws {
        object = try BuiltObject(.barrier, name, number: parties, at: SourceSite(file, line))
    }

    /// Waits until as many threads have come as the barrier is made for.
    ///
    /// - Returns: true for exactly one thread of each round, its leader (POSIX `PTHREAD_BARRIER_SERIAL_THREAD`): the last to come.
    @discardableResult
    public func wait(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try object.perform(Self.wait, at: SourceSite(file, line)) != 0
    }
}
