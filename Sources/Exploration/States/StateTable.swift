import Machine

/// The states that a search has seen, each stored once, in the order in which they were found.
///
/// A state is a row: the numbers of its components, and how the execution has ended in it. The table also stores from
/// which state, and by which move, it was first reached.
///
/// A compacted table compares 64-bit hashes instead of rows, and drops rows that are no longer needed. States with
/// equal hashes count as one.
struct StateTable: ~Copyable {
    /// The length of a row.
    let width: Int
    /// The number of words that a row takes in a chunk: after the row come the state from which, and the move by which,
    /// it was reached.
    private let stride: Int
    /// The rows, in chunks of `StateRows.chunkSize`.
    private var chunks = OwnedBuffer<UnsafeMutablePointer<UInt32>>(capacity: 16)
    private var chunkCount = 0
    private(set) var count = 0
    private var index = NumberIndex()
    let isCompacted: Bool
    /// Whether rows can be read again. If not, only the last one can. A table without rows is compacted.
    let keepsRows: Bool
    private let lastRow: OwnedBuffer<UInt32>
    /// The seed of the hashes.
    private let seed: UInt64
    /// In a compacted table, by state: its hash, and the state from which, and the move by which, it was reached.
    private var compacted = SegmentedBuffer<Compacted>()
    /// The first chunk that has not been freed.
    private var firstChunk = 0

    private struct Compacted: BitwiseCopyable {
        var hash: UInt64
        var parent: UInt32
        var move: StateMove
    }

    /// A search ends at this number of states. State numbers have 32 bits, so this leaves room for the states of its
    /// last moves.
    static let most = 1 << 31

    init(width: Int, isCompacted: Bool = false, keepsRows: Bool = true, seed: UInt64 = 0) {
        self.width = width
        self.isCompacted = isCompacted
        self.keepsRows = keepsRows
        self.seed = seed
        lastRow = OwnedBuffer(repeating: 0, count: width)
        stride = width + 2
    }

    deinit {
        var chunk = firstChunk
        while chunk < chunkCount {
            chunks[chunk].deallocate()
            chunk += chunksTogether(after: chunk)
        }
    }

    /// Adds a state, unless it is known. States are numbered from 0 as they are found.
    ///
    /// - Parameters:
    ///   - parent: the state from which it was reached. Any number for the initial state.
    ///   - move: the move by which it was reached. Any move for the initial state.
    /// - Returns: the state's number, and whether it is new.
    mutating func add(_ row: UnsafePointer<UInt32>, from parent: Int, by move: StateMove) -> (number: Int, isNew: Bool)
    {
        add(row, hash: hash(row), from: parent, by: move)
    }

    /// Adds a state with this hash, unless it is known.
    @inline(__always)
    mutating func add(
        _ row: UnsafePointer<UInt32>, hash: UInt64, from parent: Int, by move: StateMove
    ) -> (number: Int, isNew: Bool) {
        let number: Int
        if isCompacted {
            let known = compacted.view
            number = index.number(hash, orAdd: count) { known.address(of: $0).pointee.hash == hash }
        } else {
            let rows = self.rows
            number = index.number(hash, orAdd: count) { rows.equals($0, row) }
        }
        if number < count { return (number, false) }
        if isCompacted { addCompacted(hash, parent, move) }
        if keepsRows {
            if count == chunkCount << StateRows.chunkBits { addChunks() }
            self.rows.set(number, row, from: parent, by: move)
        } else {
            lastRow.base.update(from: row, count: width)
        }
        count += 1
        return (number, true)
    }

    @inline(__always) var rows: StateRows { StateRows(chunks.base, width: width, stride: stride) }

    @inline(__always) func row(_ number: Int) -> UnsafeMutablePointer<UInt32> {
        if keepsRows { return rows[number] }
        precondition(number == count - 1, "the row of a state that has none")
        return lastRow.base
    }

    /// The number of the state that probably has this hash. Nil: probably none has, or the table is compacted. Used to
    /// bring its row into the cache before the row is looked up: see `PendingMoves`.
    @inline(__always) func guess(_ hash: UInt64) -> Int? { isCompacted ? nil : index.guess(hash) }

    /// The number of chunks that are allocated as one block after the first `chunkCount`. Rows are looked up at random,
    /// so a large table allocates up to 16 chunks as one block, which the system can map with huge pages. A chunk alone
    /// is small: 256 KB for each word of a row. The rows of a compacted table are not looked up, and their chunks are
    /// freed one by one.
    private func chunksTogether(after chunkCount: Int) -> Int { isCompacted ? 1 : min(max(1, chunkCount), 16) }

    private mutating func addChunks() {
        let new = chunksTogether(after: chunkCount)
        chunks.reserve(chunkCount + new, keeping: chunkCount)
        let memory = OwnedBuffer<UInt32>.allocate(new * StateRows.chunkSize * stride)
        for i in 0..<new { chunks[chunkCount + i] = memory + i * StateRows.chunkSize * stride }
        chunkCount += new
    }

    private mutating func addCompacted(_ hash: UInt64, _ parent: Int, _ move: StateMove) {
        compacted.reserve(count + 1)
        compacted.address(of: count).pointee = Compacted(
            hash: hash, parent: UInt32(truncatingIfNeeded: parent), move: move)
    }

    /// In a compacted table, frees chunks, because the rows of states with smaller numbers are no longer needed.
    mutating func forget(before number: Int) {
        guard isCompacted else { return }
        while firstChunk < number >> StateRows.chunkBits {
            chunks[firstChunk].deallocate()
            firstChunk += 1
        }
    }

    /// The state from which this one was first reached, and the move. Meaningless for the initial state.
    func origin(of number: Int) -> (parent: Int, move: StateMove) {
        if isCompacted {
            let state = compacted.address(of: number).pointee
            return (Int(state.parent), state.move)
        }
        let row = row(number)
        return (Int(row[width]), StateMove(word: row[width + 1]))
    }

    @inline(__always) func hash(_ row: UnsafePointer<UInt32>) -> UInt64 { StateRows.hash(row, width, seed) }

    /// The memory in use, in bytes.
    var memory: Int {
        let rows = keepsRows ? (count - firstChunk << StateRows.chunkBits) * stride * 4 : 0
        return rows + (isCompacted ? count * MemoryLayout<Compacted>.stride : 0) + index.memory
    }

    /// The additional memory that the table will need when it grows soon, in bytes. 0: it does not.
    var memoryToGrow: Int { index.memoryToGrow }
}

/// Access to the rows of a table of states. Valid until the table grows.
struct StateRows: BitwiseCopyable {
    private let chunks: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>
    private let width: Int
    private let stride: Int

    static let chunkBits = 16
    static let chunkSize = 1 << chunkBits

    @inline(__always)
    init(_ chunks: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>, width: Int, stride: Int) {
        self.chunks = chunks
        self.width = width
        self.stride = stride
    }

    @inline(__always) subscript(_ number: Int) -> UnsafeMutablePointer<UInt32> {
        chunks[number >> Self.chunkBits] + (number & (Self.chunkSize - 1)) * stride
    }

    @inline(__always) func set(_ number: Int, _ row: UnsafePointer<UInt32>, from parent: Int, by move: StateMove) {
        let place = self[number]
        place.update(from: row, count: width)
        place[width] = UInt32(truncatingIfNeeded: parent)
        place[width + 1] = move.word
    }

    /// Whether the state has this row.
    @inline(__always) func equals(_ number: Int, _ row: UnsafePointer<UInt32>) -> Bool {
        Self.equals(self[number], row, width)
    }

    @inline(__always) static func equals(
        _ row: UnsafePointer<UInt32>, _ other: UnsafePointer<UInt32>, _ width: Int
    ) -> Bool {
        for i in 0..<width where row[i] != other[i] { return false }
        return true
    }

    @inline(__always) static func hash(_ row: UnsafePointer<UInt32>, _ width: Int, _ seed: UInt64) -> UInt64 {
        var hash = Hash64(seed: seed)
        var i = 0
        while i + 1 < width {
            hash.add(UInt64(row[i]) << 32 | UInt64(row[i + 1]))
            i += 2
        }
        if i < width { hash.add(UInt64(row[i])) }
        return hash.value
    }
}

/// A move from a state to another: a thread takes one alternative of its step, or time passes although threads can
/// step.
struct StateMove: Equatable {
    /// The alternative in the lowest `wayBits` bits, and the thread above them.
    let word: UInt32

    @inline(__always) private static var wayBits: Int { 20 }

    init(word: UInt32) { self.word = word }

    init(thread: Int, way: Int) { word = UInt32(thread) << Self.wayBits | UInt32(way) }

    static let passTime = StateMove(word: .max)

    var thread: Int { Int(word >> Self.wayBits) }
    var way: Int { Int(word & (1 << Self.wayBits - 1)) }
}

/// Moves to states that have not been looked up yet. Looking up many at once is faster: the table is larger than the
/// processor's caches, which can then load several entries at the same time.
struct PendingMoves: ~Copyable {
    struct Move: BitwiseCopyable {
        var hash: UInt64
        var source: UInt32
        var move: UInt32
        /// The variables of the same names in `StateSpace` when the move was made.
        var isBranch: Bool
        var hasWays: Bool
        var isProgress: Bool
        var isDue: Bool
        /// The number of the state to which the move probably leads, or −1.
        var guess = -1
    }

    private let width: Int
    private let rows: OwnedBuffer<UInt32>
    private let moves: OwnedBuffer<Move>
    private(set) var count = 0
    /// A sum of what `prepare` has read, so that the compiler does not remove these reads.
    private(set) var sum: UInt32 = 0

    /// The maximum number of pending moves.
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

    /// Reads what looking up the moves will read, so that it is in the processor's caches then.
    @inline(__always) mutating func prepare(_ states: borrowing StateTable) {
        let (moves, count) = (moves.base, count)
        for i in 0..<count { moves[i].guess = states.guess(moves[i].hash) ?? -1 }
        for i in 0..<count where moves[i].guess >= 0 { sum &+= states.row(moves[i].guess)[0] }
    }

    /// The moves in the order in which they were added.
    @inline(__always) subscript(_ number: Int) -> (row: UnsafePointer<UInt32>, move: Move) {
        (UnsafePointer(rows.base + number * width), moves.base[number])
    }

    mutating func removeAll() { count = 0 }
}
