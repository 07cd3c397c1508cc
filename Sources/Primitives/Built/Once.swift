import Execution
import Recipes
import Trace

/// Work that only the first thread to arrive does, and on whose result every thread can then rely (POSIX
/// `pthread_once`).
public final class Once: Sendable {
    private let object: BuiltObject
    private static let block = Recipe.once.block!

    /// - Parameter name: its name in traces, made unique within the run.
    public init(_ name: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        object = BuiltObject(.once, name, at: SourceSite(file, line))
    }

    /// Runs the body on the calling thread, unless a body passed to this once has completed before. While another
    /// thread runs one, waits until it has returned or thrown.
    ///
    /// If the body throws, the error goes to its caller, and no body counts as completed: the next caller, which may
    /// already be waiting, runs its own body. A body that calls `run` of the same once waits for itself: a deadlock.
    ///
    /// - Throws: what the body throws.
    public func run(file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Void) throws {
        let site = SourceSite(file, line)
        guard try object.perform(Self.block.enter, at: site) != 0 else { return }
        do { try body() } catch {
            try object.perform(Self.block.abandon, at: site)
            throw error
        }
        try object.perform(Self.block.leave, at: site)
    }
}
