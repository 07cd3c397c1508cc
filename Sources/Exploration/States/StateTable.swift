import Machine

/// The states that a search has seen, each stored once, in the order in which they were found.
///
/// A state is a row of numbers: those of its components, and how the execution has ended in it. Beside it are the state
/// from which it was first reached, and by which move.
struct StateTable: ~Copyable {
    /// The numbers of a row.
    let width: Int
    private let stride: Int
    private var chunks = OwnedBuffer<UnsafeMutablePointer<UInt32>>(capacity: 16)
    private(set) var count = 0
    private var index = NumberIndex()

    private static let chunkBits = 16
    private static let chunkSize = 1 << chunkBits
    /// A search ends at this number of states: it leaves room for those of its last moves, because numbers have 32 bits.
    static let most = 1 << 31

    init(width: Int) {
        self.width = width
        stride = width + 2
    }

    deinit {
        for chunk in 0..<(count + Self.chunkSize - 1) >> Self.chunkBits { chunks[chunk].deallocate() }
    }

    /// The number of the state with this row: from 0 on, in the order in which they are first seen.
    ///
    /// - Returns: the number, and whether it is new.
    mutating func add(_ row: UnsafePointer<UInt32>, from parent: Int, by move: StateMove) -> (number: Int, isNew: Bool)
    {
        add(row, hash: hash(row), from: parent, by: move)
    }

    /// The same, if the row's hash is known.
    @inline(__always)
    mutating func add(
        _ row: UnsafePointer<UInt32>, hash: UInt64, from parent: Int, by move: StateMove
    ) -> (number: Int, isNew: Bool) {
        let (chunks, stride, width) = (self.chunks.base, stride, width)
        let number = index.number(hash, orAdd: count) {
            Self.equals(Self.row($0, chunks, stride), row, width)
        }
        if number < count { return (number, false) }
        if count & (Self.chunkSize - 1) == 0 { addChunk() }
        let place = self.row(number)
        place.update(from: row, count: width)
        place[width] = UInt32(truncatingIfNeeded: parent)
        place[width + 1] = move.word
        count += 1
        return (number, true)
    }

    @inline(__always) func row(_ number: Int) -> UnsafeMutablePointer<UInt32> {
        Self.row(number, chunks.base, stride)
    }

    @inline(__always) private static func row(
        _ number: Int, _ chunks: UnsafePointer<UnsafeMutablePointer<UInt32>>, _ stride: Int
    ) -> UnsafeMutablePointer<UInt32> {
        chunks[number >> chunkBits] + (number & (chunkSize - 1)) * stride
    }

    /// Reads, without need, what looking up a row with this hash will read: see `PendingMoves`.
    @inline(__always) func guess(_ hash: UInt64) -> Int? { index.guess(hash) }

    private mutating func addChunk() {
        let chunk = count >> Self.chunkBits
        chunks.reserve(chunk + 1, keeping: chunk)
        chunks[chunk] = OwnedBuffer<UInt32>.allocate(Self.chunkSize * stride)
    }

    /// The state from which this one was first reached, and how. Meaningless for the first one.
    func origin(of number: Int) -> (parent: Int, move: StateMove) {
        let row = row(number)
        return (Int(row[width]), StateMove(word: row[width + 1]))
    }

    @inline(__always) private static func equals(
        _ own: UnsafePointer<UInt32>, _ other: UnsafePointer<UInt32>, _ width: Int
    ) -> Bool {
        for i in 0..<width where own[i] != other[i] { return false }
        return true
    }

    @inline(__always) func hash(_ row: UnsafePointer<UInt32>) -> UInt64 {
        var hash = Hash64()
        var i = 0
        while i + 1 < width {
            hash.add(UInt64(row[i]) << 32 | UInt64(row[i + 1]))
            i += 2
        }
        if i < width { hash.add(UInt64(row[i])) }
        return hash.value
    }

    /// In bytes.
    var memory: Int { count * stride * 4 + index.memory }
}
