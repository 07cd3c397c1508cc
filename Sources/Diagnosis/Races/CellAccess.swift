import Trace

/// One read or write of a plain cell: by whom, where, and under which locks.
struct CellAccess {
    var thread: ThreadID
    /// The thread's own time, which says what has seen this access.
    var time: UInt32
    var isWrite: Bool
    var site: SiteID
    var locks: [Hold]

    func isBefore(_ clock: VectorClock) -> Bool { time <= clock[thread] }
}
