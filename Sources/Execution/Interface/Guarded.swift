import Glibc
import Synchronization

/// A value behind a lock, for short critical sections.
///
/// Instead of `Synchronization.Mutex`, which must not be used in a process that can be copied: it writes down the number of the
/// thread that holds it, each module keeps that number by itself, and in a copy of the process (`Checkpoint`, a search's
/// children) one module has the old number and another one the new: then the lock ends the process as misused.
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
