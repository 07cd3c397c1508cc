import Execution
import Trace

extension Thread {
    /// The calling thread's priority, 0 to 31, as it was last set. 15 if it never was.
    public static var priority: Int { ThreadContext.runtime.with { $0.priority } }

    /// Changes the calling thread's priority while it runs, 0 to 31 (Foundation `setThreadPriority`, POSIX
    /// `pthread_setschedparam`). A hint: Linux grants raised ones to privileged processes only, and the controlled
    /// scheduler decides by its strategy.
    ///
    /// - Throws: `Misuse` `invalid-value`.
    public static func setPriority(_ priority: Int, file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        guard ThreadAttributes.refusal(ofPriority: priority) == nil else {
            throw Misuse.recorded(.invalidValue, at: site)
        }
        ThreadContext.runtime.with { $0.setPriority(priority, at: site) }
    }
}
