import Trace

/// A read or write of a cell, or the release of its memory, which is a variable without synchronization, with what a race detector needs: the
/// thread's time and its locks. In compiled programs, also an access of the same memory as an atomic.
struct CellAccess {
    var event: Event
    /// The event's number in the run, from 1. Of a release, that of its first event, which reports show.
    var number: Int
    /// The thread's own time at the access. A clock that has reached it has seen the access.
    var time: UInt32
    /// The set of locks that the thread held.
    var locks: LockSets.Number

    var thread: ThreadID { event.thread }
    var site: SiteID { event.site }
    /// Whether it frees or unmaps the memory.
    var isFree: Bool { event.kind.effect == .free }
    var isWrite: Bool { event.kind.effect.isWrite || isFree }
    var isAtomic: Bool { event.kind.isOfAtomic }
}
