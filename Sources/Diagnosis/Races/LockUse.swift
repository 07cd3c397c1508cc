import Trace

/// How often a cell was used, and how often with which lock held: the lock that most of its users take is the one that the
/// others have forgotten (after Eraser: Savage and others, 1997).
struct LockUse {
    private(set) var uses = 0
    private var counts: [(lock: ObjectID, uses: Int)] = []

    /// No cell that is used well has more locks than this.
    private static let limit = 8

    mutating func add(_ locks: [Hold]) {
        uses += 1
        for lock in locks {
            if let index = counts.firstIndex(where: { $0.lock == lock.object }) {
                counts[index].uses += 1
            } else if counts.count < Self.limit {
                counts.append((lock.object, 1))
            }
        }
    }

    /// The lock that was held at more than half of the uses, and at how many. Nil: there is none.
    var usual: (lock: ObjectID, uses: Int)? {
        counts.max { $0.uses < $1.uses }.flatMap { $0.uses * 2 > uses ? $0 : nil }
    }
}
