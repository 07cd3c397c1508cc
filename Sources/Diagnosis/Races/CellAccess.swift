import Trace

/// One read or write of a plain cell: by whom, where, when, and under which locks.
struct CellAccess {
    var event: Event
    /// The event's number in the run.
    var number: Int
    /// The thread's own time, which says who has seen this access.
    var time: UInt32
    var locks: LockSets.Number

    var thread: ThreadID { event.thread }
    var site: SiteID { event.site }
    var isWrite: Bool {
        event.kind.effect.isWrite
    }
}
