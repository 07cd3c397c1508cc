import Glibc
import Synchronization

/// A value behind a spin lock, for short critical sections.
///
/// It replaces `Synchronization.Mutex`, which is unsafe in a process that was forked (`Checkpoint`, the children of a
/// search). That mutex stores the number of the thread that holds it, and each module caches the number of the calling
/// thread. In a forked process, one module may have cached the old number and another the new one, and the mutex then
/// ends the process for misuse.
package final class Guarded<Value>: @unchecked Sendable {
    private let isTaken = Atomic(false)
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    package func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        while isTaken.exchange(true, ordering: .acquiring) { sched_yield() }
        defer { isTaken.store(false, ordering: .releasing) }
        return try body(&value)
    }
}
