/// The store buffers of the threads under tso, for a search by states: x86 as a machine (Sewell, Sarkar, Owens, Zappa
/// Nardelli, Myreen: "x86-TSO: a rigorous and usable programmer's model", CACM 2010).
///
/// A store that is not sequentially consistent waits in its thread's buffer. The stores of a buffer reach memory one after the
/// other, in the order in which they were made, each at some time. A thread reads the newest store in its own buffer, or
/// else memory. What `MachineState.drain` names has to wait until the buffer is empty.
///
/// The same executions as those of the execution graph (`WeakMemory`), which follows the axioms, as Owens, Sarkar and Sewell
/// have proved ("A better x86 memory model: x86-TSO", TPHOLs 2009). But a state of this machine says all that matters for the future,
/// and is as small as the program's own: a graph grows with each step.
package final class StoreBuffers {
    package struct Store: Equatable, BitwiseCopyable {
        package var object: UInt32
        package var word: Int
    }

    /// The most stores of a buffer. Programs that would need more are not searched: see `isOverfull`.
    package static let most = 16
    static let mostThreads = ExecutionGraph.mostThreads

    /// For each thread, room for `most` stores, the oldest first.
    private let stores = OwnedBuffer<Store>(capacity: StoreBuffers.mostThreads * StoreBuffers.most)
    /// By thread, and the sum of them.
    private let counts = OwnedBuffer<Int>(repeating: 0, count: StoreBuffers.mostThreads)
    @exclusivity(unchecked) package private(set) var total = 0
    /// Whether a store found its buffer full, since the search began.
    @exclusivity(unchecked) package private(set) var isOverfull = false

    /// Whether a thread has written a plain cell that claims read on the way, and other steps of it can change places with that: on x86 the
    /// write waits in the buffer, and here it does not.
    @exclusivity(unchecked) package private(set) var isOvertaken = false

    init() {}

    func reset() {
        counts.base.update(repeating: 0, count: Self.mostThreads)
        total = 0
    }

    private func row(_ thread: Int) -> UnsafeMutablePointer<Store> { stores.base + thread * Self.most }

    func count(of thread: Int) -> Int { thread < Self.mostThreads ? counts[thread] : 0 }
    func store(_ thread: Int, _ index: Int) -> Store { row(thread)[index] }

    /// Adds a store to the thread's buffer, which has room.
    func append(_ store: Store, by thread: Int) {
        row(thread)[counts[thread]] = store
        counts[thread] += 1
        total += 1
    }

    func noteOverfull() { isOverfull = true }
    func noteOvertaken() { isOvertaken = true }

    /// Takes the oldest store out of the thread's buffer.
    func removeFirst(of thread: Int) -> Store {
        let row = row(thread)
        let first = row[0]
        counts[thread] -= 1
        total -= 1
        row.update(from: row + 1, count: counts[thread])
        return first
    }

    /// Undoes `removeFirst`.
    func putBack(_ store: Store, of thread: Int) {
        let row = row(thread)
        var index = counts[thread]
        while index > 0 {
            row[index] = row[index - 1]
            index -= 1
        }
        row[0] = store
        counts[thread] += 1
        total += 1
    }

    /// What the thread has stored last, and what has not reached memory. Nil: nothing of the object's.
    func newestWord(of object: UInt32, by thread: Int) -> Int? {
        var index = count(of: thread) - 1
        while index >= 0 {
            if row(thread)[index].object == object { return row(thread)[index].word }
            index -= 1
        }
        return nil
    }

    func contains(_ object: UInt32, of thread: Int) -> Bool { newestWord(of: object, by: thread) != nil }

    // MARK: - Copies

    func copy(_ other: StoreBuffers) {
        counts.base.update(from: other.counts.base, count: Self.mostThreads)
        total = other.total
        for thread in 0..<Self.mostThreads where counts[thread] > 0 {
            row(thread).update(from: other.row(thread), count: counts[thread])
        }
    }

    /// The most words of one buffer.
    package static let mostWords = 1 + 2 * most

    /// Writes a buffer.
    ///
    /// - Returns: the end of the words.
    package func encode(_ thread: Int, _ words: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int> {
        var end = words
        let count = count(of: thread)
        end.pointee = count
        end += 1
        for index in 0..<count {
            end[0] = Int(row(thread)[index].object)
            end[1] = row(thread)[index].word
            end += 2
        }
        return end
    }

    /// Restores a buffer that is empty.
    ///
    /// - Returns: the words behind it.
    package func decode(_ thread: Int, _ words: UnsafePointer<Int>) -> UnsafePointer<Int> {
        for index in 0..<words.pointee {
            let place = words + 1 + 2 * index
            append(Store(object: UInt32(truncatingIfNeeded: place[0]), word: place[1]), by: thread)
        }
        return words + 1 + 2 * words.pointee
    }

    /// Empties all buffers, before they are decoded.
    package func clear() { reset() }

    /// The stores of a thread, for inspection.
    package func contents(of thread: Int) -> [Store] { (0..<count(of: thread)).map { store(thread, $0) } }
}
