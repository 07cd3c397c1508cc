import Machine
import Trace

/// The states of a search that have been found and not yet expanded, the newest on top.
struct OpenStates: ~Copyable {
    private var numbers: [Int] = []
    /// Of states that no table has: their rows, in the same order.
    private var rows = OwnedBuffer<UInt32>(capacity: 1)
    private let rowWidth: Int
    /// Nil: states are taken in the opposite of the order in which they were found.
    private var generator: SplitMix64?

    /// - Parameters:
    ///   - order: the seed of a random order. Nil: none.
    ///   - rowWidth: the numbers of a row. 0: rows are not kept here.
    init(order: UInt64? = nil, rowWidth: Int = 0) {
        generator = order.map { SplitMix64(seed: $0) }
        self.rowWidth = rowWidth
    }

    var count: Int { numbers.count }

    mutating func append(_ number: Int, _ row: UnsafePointer<UInt32>) {
        if rowWidth > 0 {
            let end = numbers.count * rowWidth
            rows.reserve(end + rowWidth, keeping: end)
            (rows.base + end).update(from: row, count: rowWidth)
        }
        numbers.append(number)
    }

    mutating func popLast() -> Int? { numbers.popLast() }

    /// The row of the state that was taken last. Valid until another one is appended.
    var lastTaken: UnsafePointer<UInt32> { UnsafePointer(rows.base + numbers.count * rowWidth) }

    /// Puts the states from this place on into a random order.
    mutating func shuffle(from start: Int) {
        guard var generator, numbers.count > start + 1 else { return }
        for place in stride(from: numbers.count - 1, to: start, by: -1) {
            let other = start + generator.next(below: place - start + 1)
            guard other != place else { continue }
            numbers.swapAt(other, place)
            for column in 0..<rowWidth {
                let (one, two) = (other * rowWidth + column, place * rowWidth + column)
                (rows.base[one], rows.base[two]) = (rows.base[two], rows.base[one])
            }
        }
        self.generator = generator
    }

    /// In bytes, of what no table has.
    var memory: Int { rowWidth > 0 ? numbers.count * (rowWidth * 4 + 8) : 0 }
}
