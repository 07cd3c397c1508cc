/// Vector clocks in flat memory, one per row. A clock holds, for each thread, the time up to which the row's owner has
/// seen it.
///
/// Most programs have at most eight threads. A clock is then one SIMD vector, handled without a loop or a branch.
///
/// A handle to memory that it owns by convention: its creator must call `deallocate()`.
struct ClockTable {
    private typealias Vector = SIMD8<Int32>

    /// The number of threads that a clock has room for: a power of two.
    private(set) var width = Vector.scalarCount
    private(set) var rowCount = 16
    private var memory: UnsafeMutablePointer<Int32>

    init(rows: Int = 16, width: Int = 8) {
        rowCount = rows
        self.width = width
        let bytes = rows * width * MemoryLayout<Int32>.stride
        memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: MemoryLayout<Vector>.alignment)
            .bindMemory(to: Int32.self, capacity: rows * width)
        memory.initialize(repeating: 0, count: rows * width)
    }

    func deallocate() { UnsafeMutableRawPointer(memory).deallocate() }

    @inline(always) subscript(_ row: Int) -> UnsafeMutablePointer<Int32> { memory + row &* width }

    @inline(always) private var isNarrow: Bool { width == Vector.scalarCount }

    @inline(always) private func vector(_ clock: UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<Vector> {
        UnsafeMutableRawPointer(clock).assumingMemoryBound(to: Vector.self)
    }

    /// Makes room, and keeps the clocks that the table has.
    @inline(always) mutating func reserve(rows: Int, width: Int) {
        if rows > rowCount || width > self.width { grow(rows, width) }
    }

    private mutating func grow(_ rows: Int, _ threads: Int) {
        var larger = ClockTable(rows: max(rowCount, Self.powerOfTwo(rows)), width: max(width, Self.powerOfTwo(threads)))
        for row in 0..<rowCount { larger[row].update(from: self[row], count: width) }
        swap(&self, &larger)
        larger.deallocate()
    }

    private static func powerOfTwo(_ minimum: Int) -> Int {
        var power = 1
        while power < minimum { power *= 2 }
        return power
    }

    @inline(always) func clear(_ row: Int) {
        if isNarrow {
            vector(self[row]).pointee = .zero
        } else {
            self[row].update(repeating: 0, count: width)
        }
    }

    @inline(always) func clear(_ rows: Range<Int>) {
        self[rows.lowerBound].update(repeating: 0, count: rows.count &* width)
    }

    /// Adds everything that the other clock has seen. Both have the same width.
    @inline(always) func merge(_ row: Int, _ other: UnsafeMutablePointer<Int32>) {
        let mine = self[row]
        if isNarrow {
            let its = vector(other).pointee
            let own = vector(mine).pointee
            vector(mine).pointee = own.replacing(with: its, where: its .> own)
            return
        }
        for thread in 0..<width { mine[thread] = max(mine[thread], other[thread]) }
    }

    /// Replaces the clock by another one of the same width.
    @inline(always) func set(_ row: Int, _ other: UnsafeMutablePointer<Int32>) {
        if isNarrow {
            vector(self[row]).pointee = vector(other).pointee
        } else {
            self[row].update(from: other, count: width)
        }
    }

    /// Whether the row's owner has seen everything that the other clock has seen. Both have the same width.
    @inline(always) func hasSeen(_ row: Int, _ other: UnsafeMutablePointer<Int32>) -> Bool {
        let mine = self[row]
        if isNarrow { return !any(vector(other).pointee .> vector(mine).pointee) }
        return (0..<width).allSatisfy { other[$0] <= mine[$0] }
    }

    /// Copies the first rows of the other table.
    mutating func copy(rows: Int, from other: ClockTable) {
        reserve(rows: rows, width: other.width)
        if width == other.width { return memory.update(from: other.memory, count: rows * width) }
        for row in 0..<rows {
            clear(row)
            self[row].update(from: other[row], count: other.width)
        }
    }
}
