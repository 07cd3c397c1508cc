import Trace

/// The sets of locks that threads hold when they access cells. An access stores the number of its set instead of a
/// list.
///
/// Each set is another set plus the lock that was taken last, so the sets form a tree, whose root is the empty set. The
/// same locks taken in another order are another set.
struct LockSets {
    typealias Number = Int32

    private struct Lock: Hashable {
        var object: ObjectID
        var mode: Hold.Mode
        /// The set of the locks that were held before.
        var others: Number
    }

    private static let empty: Number = 0

    private var locks = [Lock(object: .none, mode: .shared, others: empty)]
    private var numbers: [Lock: Number] = [:]

    /// The number of the set of these holds, which are in the order in which they were taken.
    mutating func number(of holds: [Hold]) -> Number {
        var number = Self.empty
        for hold in holds { number = add(Lock(object: hold.object, mode: hold.mode, others: number)) }
        return number
    }

    private mutating func add(_ lock: Lock) -> Number {
        if let known = numbers[lock] { return known }
        let number = Number(locks.count)
        locks.append(lock)
        numbers[lock] = number
        return number
    }

    /// The locks of the set, in the order in which they were taken.
    func locks(_ number: Number) -> [(object: ObjectID, mode: Hold.Mode)] {
        var found: [(object: ObjectID, mode: Hold.Mode)] = []
        var next = number
        while next != Self.empty {
            let lock = locks[Int(next)]
            found.append((lock.object, lock.mode))
            next = lock.others
        }
        return found.reversed()
    }
}
