import Machine

/// What each thread of an execution has seen of the others, and the accesses of plain cells that a later access could
/// race with.
///
/// A handle to memory that it owns by convention: its creator must call `deallocate()`.
struct RaceClocks {
    /// The last write of a cell.
    private struct Write {
        /// −1: no thread has written it.
        var thread: Int32 = -1
        var time: UInt32 = 0
        /// A cell's further races would only repeat the first.
        var isRacy = false
    }

    private(set) var threadCount = 0
    private(set) var objectCount = 1
    /// What each thread has seen. Its own entry is its time, by which others show that they have seen its accesses.
    private var threads = ClockTable()
    /// What the next thread to acquire the object will see. For a cell: each thread's last read since the last write.
    private var objects = ClockTable()
    /// What a writer of a read-write lock will see in addition: the readers before it.
    private var readers = ClockTable()
    private var writes = UnsafeMutablePointer<Write>.allocate(capacity: 16)
    private var writeCapacity = 16

    func deallocate() {
        threads.deallocate()
        objects.deallocate()
        readers.deallocate()
        writes.deallocate()
    }

    mutating func reset() {
        threadCount = 0
        objectCount = 1
    }

    mutating func copy(from other: RaceClocks) {
        reserve(other.objectCount)
        threadCount = other.threadCount
        objectCount = other.objectCount
        threads.copy(rows: threadCount, from: other.threads)
        objects.copy(rows: objectCount, from: other.objects)
        readers.copy(rows: objectCount, from: other.readers)
        writes.update(from: other.writes, count: objectCount)
    }

    // MARK: - Threads and objects

    mutating func addObjects(upTo count: Int) {
        reserve(count)
        for object in objectCount..<count {
            objects.clear(object)
            readers.clear(object)
            writes[object] = Write()
        }
        objectCount = count
    }

    private mutating func reserve(_ count: Int) {
        objects.reserve(rows: count, width: threads.width)
        readers.reserve(rows: count, width: threads.width)
        guard count > writeCapacity else { return }
        let larger = UnsafeMutablePointer<Write>.allocate(capacity: objects.rowCount)
        larger.update(from: writes, count: objectCount)
        writes.deallocate()
        writes = larger
        writeCapacity = objects.rowCount
    }

    /// A new thread has seen what its starter had.
    mutating func addThread(startedBy parent: Int) {
        let thread = threadCount
        threads.reserve(rows: thread + 1, width: thread + 1)
        objects.reserve(rows: 0, width: threads.width)
        readers.reserve(rows: 0, width: threads.width)
        threads.clear(thread)
        if parent < thread {
            threads.merge(thread, threads[parent])
            advance(parent)
        }
        advance(thread)
        threadCount = thread + 1
    }

    @inline(__always) private func advance(_ thread: Int) { threads[thread][thread] &+= 1 }

    // MARK: - Order

    @inline(__always) func acquire(_ object: Int, _ thread: Int) { threads.merge(thread, objects[object]) }

    /// The readers before it too.
    func acquireToWrite(_ object: Int, _ thread: Int) {
        acquire(object, thread)
        threads.merge(thread, readers[object])
    }

    /// The next thread sees this thread's past, which includes that of earlier threads if it acquired the object
    /// itself.
    @inline(__always) func publish(_ object: Int, _ thread: Int) {
        objects[object].update(from: threads[thread], count: threads.width)
        advance(thread)
    }

    /// The next thread sees the pasts of all that published.
    func add(_ object: Int, _ thread: Int) {
        objects.merge(object, threads[thread])
        advance(thread)
    }

    func addReader(_ object: Int, _ thread: Int) {
        readers.merge(object, threads[thread])
        advance(thread)
    }

    func join(_ target: Int, _ thread: Int) { threads.merge(thread, threads[target]) }

    // MARK: - Accesses

    /// The race that the access is part of: with the cell's last write, or, if it is a write, with a read since. Nil:
    /// none, or not the cell's first.
    @inline(__always) func access(_ cell: Int, _ thread: Int, writes isWrite: Bool) -> DataRace? {
        let write = writes + cell
        if write.pointee.isRacy { return nil }
        let clock = threads[thread]
        let reads = objects[cell]
        if write.pointee.thread >= 0 && write.pointee.time > clock[Int(write.pointee.thread)] {
            return race(cell, Int(write.pointee.thread), true, thread, isWrite)
        }
        if !isWrite {
            reads[thread] = clock[thread]
            return nil
        }
        for reader in 0..<threadCount where reads[reader] > clock[reader] {
            return race(cell, reader, false, thread, true)
        }
        write.pointee.thread = Int32(truncatingIfNeeded: thread)
        write.pointee.time = clock[thread]
        objects.clear(cell)
        return nil
    }

    private func race(_ cell: Int, _ earlier: Int, _ earlierWrites: Bool, _ later: Int, _ laterWrites: Bool) -> DataRace
    {
        writes[cell].isRacy = true
        return DataRace(
            cell: ObjectIdentity(word: cell), earlier: earlier, later: later, earlierWrites: earlierWrites,
            laterWrites: laterWrites)
    }
}
