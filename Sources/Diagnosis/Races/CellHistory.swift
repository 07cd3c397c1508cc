import Trace

/// The accesses of one cell that a later one could race with: the last write, and each thread's last read since.
struct CellHistory {
    private var write: CellAccess?
    private var reads: [CellAccess] = []
    private(set) var lockUse = LockUse()
    /// The first two accesses that nothing orders. A cell's further races would only repeat it.
    private(set) var race: (earlier: CellAccess, later: CellAccess)?

    /// - Parameter clock: of the accessing thread.
    mutating func add(_ access: CellAccess, _ clock: VectorClock) {
        lockUse.add(access.locks)
        guard race == nil else { return }
        if let write, !write.isBefore(clock) {
            race = (write, access)
        } else if !access.isWrite {
            addRead(access)
        } else if let read = reads.first(where: { !$0.isBefore(clock) }) {
            race = (read, access)
        } else {
            write = access
            reads.removeAll(keepingCapacity: true)
        }
    }

    private mutating func addRead(_ access: CellAccess) {
        if let index = reads.firstIndex(where: { $0.thread == access.thread }) {
            reads[index] = access
        } else {
            reads.append(access)
        }
    }
}
