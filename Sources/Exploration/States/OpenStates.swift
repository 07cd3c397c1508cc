import Machine
import Trace

/// A stack of the states of a search that have been found and not yet expanded.
struct OpenStates: ~Copyable {
    private var numbers: [Int] = []
    /// The rows of the states (`StateTable`), in the same order, if no table keeps them.
    private var rows = OwnedBuffer<UInt32>(capacity: 1)
    private let rowWidth: Int
    /// Shuffles new states. Nil: the state found last is taken first.
    private var generator: SplitMix64?

    /// - Parameters:
    ///   - order: the seed of a random order among the successors of a state. Nil: no random order.
    ///   - rowWidth: the length of a row. 0: a table keeps the rows.
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

    /// Shuffles the states from the index `start` on.
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

    /// The memory of the rows that no table keeps, with their numbers, in bytes.
    var memory: Int {
        rowWidth > 0 ? numbers.count * (rowWidth * MemoryLayout<UInt32>.stride + MemoryLayout<Int>.stride) : 0
    }
}
