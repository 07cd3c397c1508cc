import Machine

/// The moves that one thread has found in states of a batch.
final class FoundMoves {
    struct Move: BitwiseCopyable {
        var hash: UInt64
        var move: StateMove
        var isBranch: Bool
        var isProgress: Bool
        /// Whether it leads to a state that it has found.
        var isNew = false
        /// What is known of the state that it leads to: see `StateBatch`.
        var target = -1
    }

    let space: StateSpace
    private let width: Int
    @exclusivity(unchecked) private var rows: OwnedBuffer<UInt32>
    @exclusivity(unchecked) private var moves: OwnedBuffer<Move>
    @exclusivity(unchecked) private(set) var count = 0

    private static let first = 1 << 10

    init(_ space: StateSpace) {
        self.space = space
        width = space.width
        rows = OwnedBuffer(capacity: Self.first * space.width)
        moves = OwnedBuffer(capacity: Self.first)
    }

    /// Enters a state and finds its moves, after those that were found before.
    func find(from row: UnsafePointer<UInt32>) {
        space.enter(row)
        space.forEachMove { move, row in
            rows.reserve((count + 1) * width, keeping: count * width)
            moves.reserve(count + 1, keeping: count)
            (rows.base + count * width).update(from: row, count: width)
            moves.base[count] = Move(
                hash: StateRows.hash(row, width), move: move, isBranch: space.isBranch, isProgress: space.isProgress)
            count += 1
        }
    }

    /// Forgets all but the first ones.
    func removeAll(after kept: Int) { count = kept }

    /// The moves, for all threads. Valid until more are found.
    struct View: BitwiseCopyable {
        fileprivate let rows: UnsafePointer<UInt32>
        fileprivate let moves: UnsafeMutablePointer<Move>
        fileprivate let width: Int

        @inline(__always) func row(_ number: Int) -> UnsafePointer<UInt32> { rows + number * width }
        @inline(__always) func move(_ number: Int) -> UnsafeMutablePointer<Move> { moves + number }
    }

    var view: View { View(rows: UnsafePointer(rows.base), moves: moves.base, width: width) }
}
