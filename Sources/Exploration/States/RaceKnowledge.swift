import Machine
import Trace

/// What each thread knows of the accesses with which a later one could race: the vector clocks of `RaceClocks`, reduced
/// to bits. These have finitely many values, so they can be part of a state.
///
/// An *item* is an access that can still race: a cell's last write, or a thread's last read of the cell since then. A
/// thread knows an item if the access happens before the thread's next step. A row of bits says which items a thread
/// knows, or which items the next thread to acquire an object will know.
struct RaceKnowledge: ~Copyable {
    /// The numbers of the objects that are cells.
    private let cells: [Int]
    private let threadCount: Int
    /// By object: the index of a cell in `cells`, or the number of another object that can order threads, which has two
    /// rows. −1: the object is neither.
    private let places: [Int]
    private let wordsInRow: Int
    private let rowCount: Int
    /// The first of the rows for fences, two for each thread: what its next acquire fence will know, and what it knew
    /// at its last release fence. Nil: the program has no weak orders, without which fences order nothing.
    private let firstOfFences: Int?
    /// The number of the execution's first race (0: none); the items that exist; the rows of threads, of objects, of
    /// the readers of objects, and of fences.
    private let words: OwnedBuffer<UInt64>
    /// The places of races, in the order in which they were first seen.
    private(set) var racePlaces: [Int] = []

    init(_ machine: MachineState, threads: Int, hasWeakOrders: Bool) {
        var cells: [Int] = []
        var places = [Int](repeating: -1, count: machine.objectCount)
        var objects = 0
        for number in 1..<machine.objectCount {
            switch machine.object(UInt32(number)).kind {
            case .cell:
                places[number] = cells.count
                cells.append(number)
            case .condition, .seat, .other: break
            case .normalMutex, .errorCheckingMutex, .recursiveMutex, .semaphore, .readersFirstLock, .writersFirstLock,
                .atomic, .file, .counted:
                places[number] = objects
                objects += 1
            }
        }
        self.cells = cells
        self.places = places
        threadCount = threads
        wordsInRow = (cells.count * (threads + 1) + 63) / 64
        firstOfFences = hasWeakOrders ? threads + 2 * objects : nil
        rowCount = threads + 2 * objects + (hasWeakOrders ? 2 * threads : 0)
        words = OwnedBuffer(repeating: 0, count: 1 + (1 + rowCount) * wordsInRow)
    }

    var wordCount: Int { 1 + (1 + rowCount) * wordsInRow }

    /// The number of the execution's first race, from 1. 0: there was none.
    var race: Int { Int(words[0]) }

    mutating func begin() { words.base.update(repeating: 0, count: wordCount) }

    // MARK: - Rows

    private var existing: UnsafeMutablePointer<UInt64> { words.base + 1 }
    private func row(_ thread: Int) -> UnsafeMutablePointer<UInt64> { words.base + 1 + (1 + thread) * wordsInRow }
    private func row(ofObject object: Int) -> UnsafeMutablePointer<UInt64> { row(threadCount + 2 * places[object]) }
    private func row(ofReaders object: Int) -> UnsafeMutablePointer<UInt64> {
        row(threadCount + 2 * places[object] + 1)
    }

    /// Adds the items of the other row to a row.
    private func merge(_ row: UnsafeMutablePointer<UInt64>, _ other: UnsafeMutablePointer<UInt64>) {
        for i in 0..<wordsInRow { row[i] |= other[i] }
    }

    private func item(ofWriteOf cell: Int) -> Int { cell * (threadCount + 1) }
    private func item(ofReadOf cell: Int, by thread: Int) -> Int { item(ofWriteOf: cell) + 1 + thread }

    /// Makes the item exist, known only to this thread.
    private func renew(_ item: Int, by thread: Int) {
        remove(item)
        existing[item / 64] |= 1 << UInt64(item % 64)
        row(thread)[item / 64] |= 1 << UInt64(item % 64)
    }

    private func remove(_ item: Int) {
        let mask = ~(1 << UInt64(item % 64) as UInt64)
        for i in 0..<1 + rowCount { existing[i * wordsInRow + item / 64] &= mask }
    }

    /// Whether the item exists and the thread does not know it.
    private func isUnknown(_ item: Int, to thread: Int) -> Bool {
        (existing[item / 64] & ~row(thread)[item / 64]) >> UInt64(item % 64) & 1 != 0
    }

    // MARK: - Steps

    /// The thread is about to take its step: passes on what it knows, or finds a race.
    mutating func willTake(_ thread: Int, way: Int, _ machine: MachineState) {
        if words[0] != 0 { return }
        let operation = machine.operation(of: thread)
        let ruling = machine.ruling(on: thread, alternative: way)
        let object = Int(operation.object)
        switch ruling.act.order {
        case .nothing: break
        case .readsPlainly: access(object, thread, isWrite: false, machine)
        case .writesPlainly: access(object, thread, isWrite: true, machine)
        case .acquires: merge(row(thread), row(ofObject: object))
        case .publishes: publish(object, thread)
        case .acquiresAndPublishes:
            merge(row(thread), row(ofObject: object))
            publish(object, thread)
        case .addsToPublished: merge(row(ofObject: object), row(thread))
        case .publishesToWriters: merge(row(ofReaders: object), row(thread))
        case .acquiresFromReaders:
            merge(row(thread), row(ofObject: object))
            merge(row(thread), row(ofReaders: object))
        case .publishesMutex: publish(operation.a, thread)
        case .acquiresMutex: merge(row(thread), row(ofObject: operation.a))
        case .joins: if let target = Threads.target(of: operation, in: machine) { merge(row(thread), row(target)) }
        case .loads: load(object, thread, operation.orders.order)
        case .mismatches: load(object, thread, operation.orders.failure)
        case .stores: store(object, thread, operation.orders.order)
        case .updates:
            load(object, thread, operation.orders.order)
            merge(row(ofObject: object), operation.orders.order.releases ? row(thread) : released(thread))
        case .fences: if firstOfFences != nil { fence(thread, operation.orders.order) }
        }
    }

    // The rows for fences. Only programs with weak orders have them.
    private func pending(_ thread: Int) -> UnsafeMutablePointer<UInt64> { row((firstOfFences ?? 0) + 2 * thread) }
    private func released(_ thread: Int) -> UnsafeMutablePointer<UInt64> { row((firstOfFences ?? 0) + 2 * thread + 1) }

    private func load(_ object: Int, _ thread: Int, _ order: MemoryOrder) {
        merge(order.acquires ? row(thread) : pending(thread), row(ofObject: object))
    }

    private func store(_ object: Int, _ thread: Int, _ order: MemoryOrder) {
        if order.releases { return publish(object, thread) }
        row(ofObject: object).update(from: released(thread), count: wordsInRow)
    }

    private func fence(_ thread: Int, _ order: MemoryOrder) {
        if order.acquires { merge(row(thread), pending(thread)) }
        if order.releases { released(thread).update(from: row(thread), count: wordsInRow) }
    }

    private func publish(_ object: Int, _ thread: Int) {
        row(ofObject: object).update(from: row(thread), count: wordsInRow)
    }

    private mutating func access(_ object: Int, _ thread: Int, isWrite: Bool, _ machine: MachineState) {
        let cell = places[object]
        let write = item(ofWriteOf: cell)
        if isUnknown(write, to: thread) {
            return noteRace(on: object, earlierWrites: true, laterWrites: isWrite, machine)
        }
        if !isWrite { return renew(item(ofReadOf: cell, by: thread), by: thread) }
        for reader in 0..<threadCount where isUnknown(item(ofReadOf: cell, by: reader), to: thread) {
            return noteRace(on: object, earlierWrites: false, laterWrites: true, machine)
        }
        for reader in 0..<threadCount { remove(item(ofReadOf: cell, by: reader)) }
        renew(write, by: thread)
    }

    /// Records a race. From now on, all that matters is which race it was, so everything else is cleared.
    private mutating func noteRace(
        on object: Int, earlierWrites: Bool, laterWrites: Bool, _ machine: MachineState
    ) {
        // The threads, which are not part of a race's place, are not known: 0.
        let race = DataRace(
            cell: machine.identity(of: UInt32(object)), earlier: 0, later: 0, earlierWrites: earlierWrites,
            laterWrites: laterWrites)
        begin()
        if let known = racePlaces.firstIndex(of: race.place) {
            words[0] = UInt64(known + 1)
        } else {
            racePlaces.append(race.place)
            words[0] = UInt64(racePlaces.count)
        }
    }

    /// The thread has taken its step. A thread that the step started knows what its starter knows. An item that every
    /// thread that has not ended knows is dropped, because no access can race with it.
    mutating func hasTaken(_ thread: Int, threadsBefore: Int, _ machine: MachineState) {
        if words[0] != 0 { return }
        for new in threadsBefore..<machine.threadCount where new != thread { merge(row(new), row(thread)) }
        if firstOfFences != nil && machine.hasEnded(thread) {
            pending(thread).update(repeating: 0, count: wordsInRow)
            released(thread).update(repeating: 0, count: wordsInRow)
        }
        for i in 0..<wordsInRow {
            var known = existing[i]
            for thread in 0..<machine.threadCount where !machine.hasEnded(thread) { known &= row(thread)[i] }
            if known == 0 { continue }
            for other in 0..<1 + rowCount { existing[other * wordsInRow + i] &= ~known }
        }
    }

    // MARK: - Words

    func encode(_ destination: UnsafeMutablePointer<Int>) {
        for i in 0..<wordCount { destination[i] = Int(bitPattern: UInt(words[i])) }
    }

    func decode(_ source: UnsafePointer<Int>) {
        for i in 0..<wordCount { words[i] = UInt64(UInt(bitPattern: source[i])) }
    }
}
