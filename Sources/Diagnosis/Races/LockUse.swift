import Trace

/// How often a cell was accessed with which locks held. The lock that was held at most accesses was probably forgotten
/// at the others (after Eraser: Savage and others, 1997).
struct LockUse {
    private(set) var uses = 0
    private var counts: [(locks: LockSets.Number, uses: Int)] = []

    /// The maximum number of different lock sets that are counted. A correctly protected cell hardly ever has more.
    private static let limit = 64

    mutating func add(_ locks: LockSets.Number) {
        uses += 1
        for index in counts.indices where counts[index].locks == locks {
            counts[index].uses += 1
            return
        }
        if counts.count < Self.limit { counts.append((locks, 1)) }
    }

    /// The lock that was held at more than half of the accesses, and at how many. Nil if there is no such lock.
    func usual(in sets: LockSets) -> (lock: ObjectID, uses: Int)? {
        var held: [(lock: ObjectID, uses: Int)] = []
        for (locks, uses) in counts {
            for (lock, _) in sets.locks(locks) {
                let index = held.firstIndex { $0.lock == lock } ?? held.count
                if index == held.count { held.append((lock, 0)) }
                held[index].uses += uses
            }
        }
        return held.max { $0.uses < $1.uses }.flatMap { $0.uses * 2 > uses ? $0 : nil }
    }
}
