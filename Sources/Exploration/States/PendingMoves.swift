import Machine

/// Moves to states that have not been looked up yet. Looking up many at once is faster: the table is larger than the
/// processor's caches, which then load several of its entries at the same time.
struct PendingMoves: ~Copyable {
    struct Move: BitwiseCopyable {
        var hash: UInt64
        var source: UInt32
        var move: UInt32
        var isBranch: Bool
        var isProgress: Bool
        /// Whether a fair scheduler owes the thread the step.
        var isDue: Bool
        /// The state that it probably leads to, or -1.
        var guess = -1
    }

    private let width: Int
    private let rows: OwnedBuffer<UInt32>
    private let moves: OwnedBuffer<Move>
    private(set) var count = 0
    /// Keeps the compiler from leaving out what is read without need.
    private(set) var sum: UInt32 = 0

    static let most = 48

    init(width: Int) {
        self.width = width
        rows = OwnedBuffer(capacity: Self.most * width)
        moves = OwnedBuffer(capacity: Self.most)
    }

    var isFull: Bool { count == Self.most }

    @inline(__always) mutating func add(_ row: UnsafePointer<UInt32>, _ move: Move) {
        (rows.base + count * width).update(from: row, count: width)
        moves.base[count] = move
        count &+= 1
    }

    /// Reads what looking them up will read.
    @inline(__always) mutating func prepare(_ states: borrowing StateTable) {
        let (moves, count) = (moves.base, count)
        for i in 0..<count { moves[i].guess = states.guess(moves[i].hash) ?? -1 }
        for i in 0..<count where moves[i].guess >= 0 { sum &+= states.row(moves[i].guess)[0] }
    }

    /// In their order.
    @inline(__always) subscript(_ number: Int) -> (row: UnsafePointer<UInt32>, move: Move) {
        (UnsafePointer(rows.base + number * width), moves.base[number])
    }

    mutating func removeAll() { count = 0 }
}
