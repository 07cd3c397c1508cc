/// What the threads can do at each node: a row for each node, with an element for every 64 threads. A set of threads is
/// thus a few words, and one word in nearly every program.
struct NodeThreadTable: ~Copyable {
    typealias Row = UnsafeMutablePointer<NodeThreads>

    private struct Sleep {
        var sleeping: UInt64 = 0
        var drowsy: UInt64 = 0
    }

    private var elements = Pile<NodeThreads>()
    /// The sleeping and the drowsy threads of the next node.
    private var next: UnsafeMutablePointer<Sleep>
    private(set) var rowLength = 1

    init() {
        next = .allocate(capacity: 1)
        next.initialize(to: Sleep())
    }

    deinit { next.deallocate() }

    /// The row of the node at this depth.
    @inline(__always) subscript(_ depth: Int) -> Row { elements.base + depth &* rowLength }

    /// The element that holds the thread's bits.
    @inline(__always) subscript(_ depth: Int, thread: Int) -> Row { self[depth] + thread >> 6 }

    /// Adds the next node's row, in which only the sleeping and the drowsy threads are known.
    @inline(__always) mutating func addRow() -> Row {
        elements.extend(by: rowLength)
        let row = elements.base + (elements.count &- rowLength)
        forEachIndex { row[$0] = NodeThreads(sleeping: next[$0].sleeping, drowsy: next[$0].drowsy) }
        return row
    }

    @inline(__always) mutating func cut(toRows count: Int) { elements.cut(to: count &* rowLength) }

    /// Iterates over the elements of a row. There is at least one, and nearly always exactly one.
    @inline(__always) private func forEachIndex(_ body: (Int) -> Void) {
        body(0)
        if rowLength > 1 { for index in 1..<rowLength { body(index) } }
    }

    // MARK: - The next node

    /// At the next node, the threads that are asleep or drowsy at this node are so too.
    @inline(__always) func passSleepOn(from depth: Int) {
        let row = self[depth]
        forEachIndex { next[$0] = Sleep(sleeping: row[$0].sleeping, drowsy: row[$0].drowsy) }
    }

    /// At the next node the thread is neither asleep nor drowsy.
    @inline(__always) func wakeUp(_ thread: Int) {
        next[thread >> 6].sleeping &= ~NodeThreads.bit(thread)
        next[thread >> 6].drowsy &= ~NodeThreads.bit(thread)
    }

    /// At the next node no thread sleeps that would not, at this one, leave a wait without a signal.
    @inline(__always) func wakeUpNeeded(at depth: Int) {
        let row = self[depth]
        forEachIndex { next[$0].sleeping &= row[$0].spurious }
    }

    /// At the next node no thread sleeps.
    @inline(__always) func wakeUpAll() { forEachIndex { next[$0] = Sleep() } }

    /// Whether the thread is asleep or drowsy at the next node.
    @inline(__always) func sleepsNext(_ thread: Int) -> Bool {
        (next[thread >> 6].sleeping | next[thread >> 6].drowsy) & NodeThreads.bit(thread) != 0
    }

    // MARK: - Questions

    @inline(__always) func isEnabled(_ thread: Int, at depth: Int) -> Bool {
        self[depth, thread].pointee.enabled & NodeThreads.bit(thread) != 0
    }

    /// Whether the thread's step at the node is a read after which its `await` continues to wait.
    @inline(__always) func failsAwait(_ thread: Int, at depth: Int) -> Bool {
        self[depth, thread].pointee.failing & NodeThreads.bit(thread) != 0
    }

    /// Whether the thread is in a wait that it can leave without a signal, although its time limit has not passed.
    @inline(__always) func isSpurious(_ thread: Int, at depth: Int) -> Bool {
        self[depth, thread].pointee.spurious & NodeThreads.bit(thread) != 0
    }

    @inline(__always) func isSleeping(_ thread: Int, at depth: Int) -> Bool {
        self[depth, thread].pointee.sleeping & NodeThreads.bit(thread) != 0
    }

    @inline(__always) func isDrowsy(_ thread: Int, at depth: Int) -> Bool {
        self[depth, thread].pointee.drowsy & NodeThreads.bit(thread) != 0
    }

    @inline(__always) func hasSleepers(at depth: Int) -> Bool {
        let row = self[depth]
        var index = 0
        repeat {
            if row[index].sleeping | row[index].drowsy != 0 { return true }
            index &+= 1
        } while index < rowLength
        return false
    }

    /// The first thread of a set at the node. Nil: the set is empty.
    @inline(__always) func first(at depth: Int, in set: (NodeThreads) -> UInt64) -> UInt16? {
        let row = self[depth]
        var index = 0
        repeat {
            let threads = set(row[index])
            if threads != 0 { return UInt16(truncatingIfNeeded: index &<< 6 &+ threads.trailingZeroBitCount) }
            index &+= 1
        } while index < rowLength
        return nil
    }

    /// The first thread of a set at the node whose number is greater than `thread`.
    func first(after thread: UInt16, at depth: Int, in set: (NodeThreads) -> UInt64) -> UInt16? {
        let row = self[depth]
        let start = Int(thread) &+ 1
        // `start` is past the end of the row if `thread` is the last thread of its last element.
        for index in start >> 6..<max(rowLength, start >> 6) {
            var threads = set(row[index])
            if index == start >> 6 { threads &= ~0 << UInt64(start & 63) }
            if threads != 0 { return UInt16(truncatingIfNeeded: index &<< 6 &+ threads.trailingZeroBitCount) }
        }
        return nil
    }

    // MARK: - Size

    /// Makes room for more threads.
    mutating func widen(toThreads threads: Int) {
        let longer = (threads + 63) / 64
        guard longer > rowLength else { return }
        let spare = 64
        var wider = Pile<NodeThreads>(capacity: elements.count / rowLength * longer + spare)
        for index in 0..<elements.count {
            wider.append(elements[index])
            if (index + 1) % rowLength == 0 { wider.fill(to: wider.count + longer - rowLength, with: NodeThreads()) }
        }
        elements = wider
        let widerNext = UnsafeMutablePointer<Sleep>.allocate(capacity: longer)
        widerNext.initialize(repeating: Sleep(), count: longer)
        widerNext.update(from: next, count: rowLength)
        next.deallocate()
        next = widerNext
        rowLength = longer
    }
}
