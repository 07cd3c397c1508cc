import Execution
import Recipes
import Trace

/// A place where threads wait for each other: when the given number of them have arrived, all continue (POSIX
/// `pthread_barrier_t`).
///
/// It can be reused at once: a thread that arrives again while others are still leaving belongs to the next round,
/// which waits for the same number of threads.
public final class Barrier: Sendable {
    private let object: BuiltObject
    private static let wait = Recipe.barrier.method("wait").operation

    /// - Parameters:
    ///   - name: its name in traces, made unique within the run.
    ///   - parties: the number of threads that each round waits for.
    /// - Throws: `Misuse` `invalid-value` (POSIX `EINVAL`), if that is less than 1.
    public init(_ name: String? = nil, parties: Int, file: StaticString = #fileID, line: UInt = #line) throws {
        object = try BuiltObject(.barrier, name, number: parties, at: SourceSite(file, line))
    }

    /// Waits until the barrier's number of threads have arrived.
    ///
    /// - Returns: true for exactly one thread of each round, its leader (POSIX `PTHREAD_BARRIER_SERIAL_THREAD`): the
    ///   last to arrive.
    @discardableResult
    public func wait(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try object.perform(Self.wait, at: SourceSite(file, line)) != 0
    }
}
