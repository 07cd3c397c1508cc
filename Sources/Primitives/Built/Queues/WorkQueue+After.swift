import Execution
import Trace

extension WorkQueue {
    /// Queues the block at the deadline, and returns at once (Dispatch `asyncAfter(deadline:)`). From then on it is like
    /// any block of `async`: it waits for the blocks before it, and for a thread. If the deadline has passed it is queued
    /// now; `.distantFuture` never comes.
    ///
    /// A thread of the pool waits for the deadlines, and runs no blocks itself.
    ///
    /// - Throws: `ThreadCreationFailed`, if that thread cannot be created. The block does not run.
    public func asyncAfter(
        deadline: Instant, flags: Flags = [], file: StaticString = #fileID, line: UInt = #line,
        _ block: @escaping @Sendable () throws -> Void
    ) throws {
        let site = SourceSite(file, line)
        if deadline == .distantFuture { return }
        if deadline <= .now { return try async(flags, at: site, block) }
        try pool.gate.withLock(at: site) {
            try pool.timer(at: site).call(deadline, at: site) { try self.async(flags, at: site, block) }
        }
    }
}
