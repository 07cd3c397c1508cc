import Trace

/// The vector clocks with which `RaceWatch` finds data races: what each thread has seen of the others, what each object
/// passes on, and the accesses of plain cells with which a later access could race. Also the races found.
///
/// A handle to memory that it owns by convention: its creator must call `deallocate()`.
struct RaceClocks {
    /// The last write of a cell.
    private struct Write {
        /// The write at time 0, which every thread has seen, stands for "not written yet".
        var thread: Int32 = 0
        var time: Int32 = 0
        /// Whether the cell has raced: only its first race is reported.
        var isRacy = false
    }

    /// Each cell's first race in this execution, in the order in which they were found. Behind a pointer, because each
    /// use of this structure would otherwise count references to the array.
    let races = UnsafeMutablePointer<[DataRace]>.allocate(capacity: 1)
    private(set) var hasRaces = false
    private(set) var threadCount = 0
    private(set) var objectCount = 1
    /// By thread: what it has seen. Its own entry is its time. Another thread has seen an access of this thread once
    /// that thread's entry for this one is at least the time of the access.
    private var threads = ClockTable()
    /// By object: what the next thread to acquire it will see. For a cell: each thread's last read since the last
    /// write.
    private var objects = ClockTable()
    /// By object: what a writer of a read-write lock will see in addition, the readers before it.
    private var readers = ClockTable()
    private var fences = FenceClocks()
    private var bytes = ByteClocks()
    /// By object.
    private var writes = UnsafeMutablePointer<Write>.allocate(capacity: 16)
    private var writeCapacity = 16

    init() { races.initialize(to: []) }

    func deallocate() {
        races.deinitialize(count: 1)
        races.deallocate()
        threads.deallocate()
        objects.deallocate()
        readers.deallocate()
        fences.deallocate()
        bytes.deallocate()
        writes.deallocate()
    }

    mutating func reset() {
        threadCount = 0
        objectCount = 1
        fences.reset()
        bytes.reset()
        if hasRaces { races.pointee.removeAll(keepingCapacity: true) }
        hasRaces = false
    }

    mutating func copy(from other: RaceClocks) {
        reserve(other.objectCount)
        threadCount = other.threadCount
        objectCount = other.objectCount
        threads.copy(rows: threadCount, from: other.threads)
        objects.copy(rows: objectCount, from: other.objects)
        readers.copy(rows: objectCount, from: other.readers)
        fences.copy(threads: threadCount, from: other.fences)
        bytes.copy(from: other.bytes)
        writes.update(from: other.writes, count: objectCount)
        races.pointee = other.races.pointee
        hasRaces = other.hasRaces
    }

    // MARK: - Hash

    /// Adds each access with which a later one could race, and which threads and objects have seen it. Only that
    /// decides which races later steps show, so the times themselves are left out.
    ///
    /// - Parameter last: the thread that took the step before.
    func hashKnowledge(into hash: inout StateHash, _ state: MachineState, last: Int) {
        // A thread that was just started gets its clock at the next step. It has seen what `last`, which started it,
        // has.
        hash.add(threadCount < state.threadCount ? last : -1)
        if let first = races.pointee.first { hash.add(first.place) }
        for cell in 1..<objectCount where state.object(UInt32(cell)).kind == .cell {
            let write = writes[cell]
            if write.isRacy { hash.add(-cell) }
            if write.time > 0 { add(cell, -1 - Int(write.thread), Int(write.thread), write.time, state, to: &hash) }
            for thread in 0..<threadCount where objects[cell][thread] > 0 {
                add(cell, thread, thread, objects[cell][thread], state, to: &hash)
            }
        }
    }

    /// Adds an access, and which threads, fences and objects have seen it.
    ///
    /// - Parameter access: what identifies it among the cell's: for a read the thread, for the write −1 − thread.
    private func add(
        _ cell: Int, _ access: Int, _ thread: Int, _ time: Int32, _ state: MachineState, to hash: inout StateHash
    ) {
        // Every thread that can still access the cell has seen it: nothing races with it.
        let isOld = (0..<threadCount).allSatisfy { threads[$0][thread] >= time || state.hasEnded($0) }
        if isOld && threadCount == state.threadCount { return }
        hash.add(cell << 32 | (access & 0xffff_ffff))
        // The leading 1 marks where the bits of the word begin.
        var word = 1
        func addBit(_ hasSeen: Bool) {
            word = word << 1 | (hasSeen ? 1 : 0)
            if word < 0 {
                hash.add(word)
                word = 1
            }
        }
        for row in 0..<threadCount {
            addBit(threads[row][thread] >= time)
            if fences.areUsed && !state.hasEnded(row) {
                addBit(fences.pending(row)[thread] >= time)
                addBit(fences.released(row)[thread] >= time)
            }
        }
        for row in 1..<objectCount where state.object(UInt32(row)).kind != .cell {
            addBit(objects[row][thread] >= time)
            addBit(readers[row][thread] >= time)
        }
        hash.add(word)
    }

    // MARK: - The step

    /// Called before each step of a thread.
    ///
    /// - Parameters:
    ///   - act: what the step does.
    ///   - last: the thread that took the step before.
    @inline(always) mutating func follow(
        _ act: Act, _ operation: Operation, _ thread: Int, last: Int, _ state: MachineState
    ) {
        if state.objectCount != objectCount || state.threadCount != threadCount { grow(with: state, last) }
        if let pieces = state.pieces {
            follow(act, operation, thread, pieces[thread], state)
        } else {
            follow(act.row.order, operation, thread, state)
        }
    }

    /// What `follow` does in a compiled program, whose memory is in pieces: a plain access orders nothing, and an
    /// atomic one orders on each object that it touches.
    @inline(never)
    private mutating func follow(
        _ act: Act, _ operation: Operation, _ thread: Int, _ pieces: UnsafeBufferPointer<MemoryPiece>,
        _ state: MachineState
    ) {
        // Only reads and writes of memory can race. Using a lock whose memory is freed is a misuse, found elsewhere.
        guard operation.kind.isAccess else { return follow(act.row.order, operation, thread, state) }
        let time = threads[thread][thread]
        let isPlain = act == .read || act == .write
        if !isPlain {
            for piece in pieces {
                var own = operation
                own.object = piece.object
                follow(act.row.order, own, thread, state)
            }
        }
        // Races are looked for after the order was applied: what an atomic step acquires is ordered before it.
        let writes = act.reach == .writesObject
        for piece in pieces {
            let rival = bytes.access(piece, by: thread, at: time, writes: writes, isAtomic: !isPlain, threads)
            if let rival { note(Int(piece.object), rival.thread, rival.writes, thread, writes, state) }
        }
    }

    /// Adds rows for new objects and threads.
    @inline(never) private mutating func grow(with state: MachineState, _ last: Int) {
        addObjects(upTo: state.objectCount)
        while threadCount < state.threadCount { addThread(startedBy: last) }
    }

    private mutating func addObjects(upTo count: Int) {
        guard count > objectCount else { return }
        reserve(count)
        objects.clear(objectCount..<count)
        readers.clear(objectCount..<count)
        (writes + objectCount).update(repeating: Write(), count: count - objectCount)
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
    private mutating func addThread(startedBy parent: Int) {
        let thread = threadCount
        threads.reserve(rows: thread + 1, width: thread + 1)
        objects.reserve(rows: 0, width: threads.width)
        readers.reserve(rows: 0, width: threads.width)
        bytes.widen(to: threads.width)
        threads.clear(thread)
        if parent < thread {
            threads.merge(thread, threads[parent])
            advance(parent)
        }
        fences.addThread(thread, threads)
        advance(thread)
        threadCount = thread + 1
    }

    @inline(always) private func advance(_ thread: Int) { threads[thread][thread] &+= 1 }

    // MARK: - Order

    /// Applies the order that the step creates: see `Act.Order`.
    @inline(always) private mutating func follow(
        _ order: Act.Order, _ operation: Operation, _ thread: Int, _ state: MachineState
    ) {
        let object = Int(operation.object)
        switch order {
        case .nothing: break
        case .readsPlainly: access(operation, thread, state, writes: false)
        case .writesPlainly: access(operation, thread, state, writes: true)
        case .acquires: threads.merge(thread, objects[object])
        case .publishes: publish(object, thread)
        case .acquiresAndPublishes:
            threads.merge(thread, objects[object])
            publish(object, thread)
        case .addsToPublished:
            objects.merge(object, threads[thread])
            advance(thread)
        case .publishesToWriters:
            readers.merge(object, threads[thread])
            advance(thread)
        case .acquiresFromReaders:
            threads.merge(thread, objects[object])
            threads.merge(thread, readers[object])
        case .publishesMutex: publish(operation.a, thread)
        case .acquiresMutex: threads.merge(thread, objects[operation.a])
        case .joins: if let target = Threads.target(of: operation, in: state) { threads.merge(thread, threads[target]) }
        case .loads:
            if operation.orders.areStrong {
                threads.merge(thread, objects[object])
            } else {
                load(object, thread, operation.orders.order)
            }
        case .mismatches: load(object, thread, operation.orders.failure)
        case .stores:
            operation.orders.areStrong ? publish(object, thread) : store(object, thread, operation.orders.order)
        case .updates:
            if operation.orders.areStrong {
                threads.merge(thread, objects[object])
                publish(object, thread)
            } else {
                update(object, thread, operation.orders.order)
            }
        case .fences: fence(thread, operation.orders.order)
        }
    }

    // MARK: - Memory orders

    @inline(never) private mutating func load(_ object: Int, _ thread: Int, _ order: MemoryOrder) {
        if order.acquires { return threads.merge(thread, objects[object]) }
        useFences()
        fences.note(thread, hasRead: objects[object])
    }

    /// A store ends the object's release sequence, even one of the same thread (C++20).
    @inline(never) private mutating func store(_ object: Int, _ thread: Int, _ order: MemoryOrder) {
        if order.releases { return publish(object, thread) }
        useFences()
        objects.set(object, fences.released(thread))
    }

    /// A read-modify-write continues the release sequence: a read of its value also acquires what was released before.
    @inline(never) private mutating func update(_ object: Int, _ thread: Int, _ order: MemoryOrder) {
        load(object, thread, order)
        if order.releases {
            objects.merge(object, threads[thread])
            advance(thread)
        } else {
            useFences()
            objects.merge(object, fences.released(thread))
        }
    }

    @inline(never) private mutating func fence(_ thread: Int, _ order: MemoryOrder) {
        useFences()
        if order.acquires { threads.merge(thread, fences.pending(thread)) }
        if order.releases {
            fences.release(thread, threads[thread])
            advance(thread)
        }
    }

    private mutating func useFences() { if !fences.areUsed { fences.begin(threads, count: threadCount) } }

    @inline(always) private func publish(_ object: Int, _ thread: Int) {
        objects.set(object, threads[thread])
        advance(thread)
    }

    // MARK: - Accesses

    /// Looks for a race with the cell's last write and, if this access writes, with the reads since then.
    @inline(always) private mutating func access(
        _ operation: Operation, _ thread: Int, _ state: MachineState, writes isWrite: Bool
    ) {
        let cell = Int(operation.object)
        let write = writes + cell
        let clock = threads[thread]
        if write.pointee.time > clock[Int(write.pointee.thread)] {
            return note(cell, Int(write.pointee.thread), true, thread, isWrite, state)
        }
        let reads = objects[cell]
        if !isWrite {
            reads[thread] = clock[thread]
            return
        }
        if !threads.hasSeen(thread, reads) {
            let reader = (0..<threadCount).first { reads[$0] > clock[$0] }!
            return note(cell, reader, false, thread, true, state)
        }
        write.pointee.thread = Int32(truncatingIfNeeded: thread)
        write.pointee.time = clock[thread]
        objects.clear(cell)
    }

    /// Adds a race that was found elsewhere, in the execution graph.
    mutating func add(_ race: DataRace) {
        if races.pointee.contains(where: { $0.cell == race.cell }) { return }
        hasRaces = true
        races.pointee.append(race)
    }

    @inline(never) private mutating func note(
        _ cell: Int, _ earlier: Int, _ earlierWrites: Bool, _ later: Int, _ laterWrites: Bool, _ state: MachineState
    ) {
        if writes[cell].isRacy { return }
        writes[cell].isRacy = true
        hasRaces = true
        races.pointee.append(
            DataRace(
                cell: state.identity(of: UInt32(cell)), earlier: earlier, later: later, earlierWrites: earlierWrites,
                laterWrites: laterWrites))
    }
}
