import Machine

/// The moves that one thread has found in states of a batch. They stay where they are, so that others can read them
/// while more are found.
final class FoundMoves {
    struct Move: BitwiseCopyable {
        /// What `target` is.
        enum Kind: UInt8, BitwiseCopyable {
            /// The number of a state that was known before the batch.
            case known
            /// A place in the index, which has a provisional number.
            case open
            /// The same, and the move is the first that leads to this state.
            case first
            /// The provisional number of a move that leads to the same state.
            case repeated
        }

        var hash: UInt64
        var move: StateMove
        var isBranch: Bool
        var isProgress: Bool
        var kind = Kind.open
        /// Of the first move to a state: how many such moves there are before it in its piece of the batch.
        var rank: UInt32 = 0
        var target = -1
    }

    let space: StateSpace
    private let width: Int
    private let rows: OwnedBuffer<UInt32>
    private let moves: OwnedBuffer<Move>
    private let room: Int
    @exclusivity(unchecked) private(set) var count = 0
    /// Whether there was no room for all the moves of some state.
    @exclusivity(unchecked) private(set) var isFull = false

    /// - Parameter room: the maximum number of moves.
    init(_ space: StateSpace, room: Int) {
        self.space = space
        self.room = room
        width = space.width
        rows = OwnedBuffer(capacity: room * space.width)
        moves = OwnedBuffer(capacity: room)
    }

    /// Enters a state and finds its moves, after those that were found before.
    ///
    /// - Returns: whether it has found them all. Otherwise it has none of them.
    func find(from row: UnsafePointer<UInt32>, most: Int) -> Bool {
        let first = count
        let end = min(room, first + most)
        var isWhole = true
        space.isAtLoss = false
        space.enter(row)
        space.forEachMove { move, row in
            if count == end {
                isWhole = false
                return
            }
            (rows.base + count * width).update(from: row, count: width)
            moves.base[count] = Move(
                hash: StateRows.hash(row, width), move: move, isBranch: space.isBranch, isProgress: space.isProgress)
            count += 1
        }
        if !isWhole && count == room { isFull = true }
        if isWhole && !space.isAtLoss { return true }
        count = first
        return false
    }

    /// Forgets all but the first ones.
    func removeAll(after kept: Int) { count = kept }

    /// The moves, for all threads.
    struct View: BitwiseCopyable {
        fileprivate let rows: UnsafePointer<UInt32>
        fileprivate let moves: UnsafeMutablePointer<Move>
        fileprivate let width: Int

        @inline(__always) func row(_ number: Int) -> UnsafePointer<UInt32> { rows + number * width }
        @inline(__always) func move(_ number: Int) -> UnsafeMutablePointer<Move> { moves + number }
    }

    var view: View { View(rows: UnsafePointer(rows.base), moves: moves.base, width: width) }
}
