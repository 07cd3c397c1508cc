/// A set of threads that can be emptied in constant time.
struct ThreadMarks: ~Copyable {
    /// By thread: the round in which it was last inserted. The set contains the threads of the present round.
    private var rounds = Pile<Int>()
    private var round = 1
    private(set) var isEmpty = true

    @inline(__always) mutating func removeAll() {
        round += 1
        isEmpty = true
    }

    @inline(__always) mutating func insert(_ thread: UInt16) {
        if Int(thread) >= rounds.count { rounds.fill(to: Int(thread) + 1, with: 0) }
        rounds[Int(thread)] = round
        isEmpty = false
    }

    @inline(__always) func contains(_ thread: UInt16) -> Bool {
        Int(thread) < rounds.count && rounds[Int(thread)] == round
    }
}
