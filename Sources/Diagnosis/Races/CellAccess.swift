import Trace

/// A read or write of a plain cell, or of its memory as an atomic: its thread, place, time and locks.
struct CellAccess {
    var event: Event
    /// The event's number in the run.
    var number: Int
    /// The thread's own time. A clock that has reached it has seen this access.
    var time: UInt32
    var locks: LockSets.Number

    var thread: ThreadID { event.thread }
    var site: SiteID { event.site }
    var isWrite: Bool { event.kind.effect.isWrite }
    var isAtomic: Bool { event.kind.isOfAtomic }
}
