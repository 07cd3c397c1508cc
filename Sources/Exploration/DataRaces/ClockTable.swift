/// Vector clocks in flat memory, one per row. A clock holds, for each thread, the time up to which the row's owner has
/// seen it.
///
/// A handle to memory that it owns by convention: its creator must call `deallocate()`.
struct ClockTable {
    /// The number of threads that a clock has room for: a power of two.
    private(set) var width = 8
    private(set) var rowCount = 16
    private var memory: UnsafeMutablePointer<UInt32>

    init(rows: Int = 16, width: Int = 8) {
        rowCount = rows
        self.width = width
        memory = .allocate(capacity: rows * width)
        memory.initialize(repeating: 0, count: rows * width)
    }

    func deallocate() { memory.deallocate() }

    @inline(__always) subscript(_ row: Int) -> UnsafeMutablePointer<UInt32> { memory + row * width }

    /// Makes room, and keeps the present clocks.
    @inline(__always) mutating func reserve(rows: Int, width: Int) {
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

    @inline(__always) func clear(_ row: Int) { self[row].update(repeating: 0, count: width) }

    /// Adds everything that the other has seen. Both tables have the same width.
    @inline(__always) func merge(_ row: Int, _ other: UnsafeMutablePointer<UInt32>) {
        let mine = self[row]
        for thread in 0..<width { mine[thread] = max(mine[thread], other[thread]) }
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
