import Execution
import Machine
import Trace

extension Thread {
    /// Limits the number of threads that may exist at once, the main thread included (POSIX `PTHREAD_THREADS_MAX`; on a
    /// real system the limit is its memory). A joinable thread exists until it has been joined, or has ended and been
    /// detached; a detached one until it has ended. Above the limit a thread cannot be created (`ThreadCreationFailed`,
    /// `EAGAIN`).
    ///
    /// Without a limit a run can start 1,024 threads in all. Those that have ended count too, because each has a number
    /// of its own in traces.
    ///
    /// - Throws: `Misuse` `invalid-value`, if the count is less than 1, or greater than 1,024, or if another thread has
    ///   been started.
    public static func setLimit(_ count: Int, file: StaticString = #fileID, line: UInt = #line) throws {
        let isValid = (1...MachineState.maximumThreads).contains(count) && ThreadContext.runtime.with(\.hasOneThread)
        guard isValid else { throw Misuse.recorded(.invalidValue, at: SourceSite(file, line)) }
        ThreadContext.runtime.with { $0.setThreadLimit(count) }
    }
}
