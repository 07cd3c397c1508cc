import Trace

/// One read or write of a plain cell: by whom, where, when, and under which locks.
struct CellAccess {
    var event: Event
    /// The event's number in the run.
    var number: Int
    /// The thread's own time, which says what has seen this access.
    var clock: UInt32
    var locks: [Hold]

    var thread: ThreadID { event.thread }
    var site: SiteID { event.site }
    var isWrite: Bool { event.kind == .cellWrite }

    func isBefore(_ other: VectorClock) -> Bool { clock <= other[thread] }
}
