/// The accesses of byte-addressed memory (that of compiled programs) with which a later access could race. An access
/// may use any of an object's bytes, plainly or atomically.
///
/// Two accesses of a byte race if at least one writes, at least one is plain, and neither is ordered before the other.
///
/// A handle to memory that it owns by convention: its creator must call `deallocate()`.
struct ByteClocks {
    /// How an access uses a byte. The raw value is the position of the use's clock among the four of a row.
    private enum Use: Int {
        case read, write, atomicRead, atomicWrite

        init(writes: Bool, isAtomic: Bool) {
            self = isAtomic ? writes ? .atomicWrite : .atomicRead : writes ? .write : .read
        }

        var isWrite: Bool { self == .write || self == .atomicWrite }
    }

    /// Where the clocks of an object are.
    private struct Place {
        /// The object's only row, as long as its bytes are always used together; once they are split, the first of
        /// eight rows, one for each byte. −1: the object has no row yet.
        var row: Int32 = -1
        var isSplit = false
    }

    /// The number of kinds of use.
    @inline(__always) private static var uses: Int { 4 }
    /// The greatest number of bytes of an object.
    @inline(__always) private static var mostBytes: Int { 8 }

    /// Four clocks for each row, one for each kind of use: each thread's last such use since the last plain write.
    private var clocks = ClockTable()
    private var rowCount = 0
    /// By object.
    private var places = UnsafeMutablePointer<Place>.allocate(capacity: 16)
    private var capacity = 16
    private var placeCount = 0

    func deallocate() {
        clocks.deallocate()
        places.deallocate()
    }

    mutating func reset() {
        rowCount = 0
        placeCount = 0
    }

    mutating func copy(from other: ByteClocks) {
        rowCount = other.rowCount
        clocks.copy(rows: Self.uses * rowCount, from: other.clocks)
        reserve(other.placeCount)
        places.update(from: other.places, count: other.placeCount)
        placeCount = other.placeCount
    }

    /// Makes room in each clock for this number of threads.
    mutating func widen(to width: Int) { clocks.reserve(rows: 0, width: width) }

    // MARK: - Accesses

    /// Returns an earlier access that races with this one: its thread, and whether it writes. Adds this access for each
    /// byte on which it does not race.
    ///
    /// - Parameters:
    ///   - time: the thread's own time at the access.
    ///   - threads: what each thread has seen; for the accessing thread, including what this step acquires.
    mutating func access(
        _ piece: MemoryPiece, by thread: Int, at time: Int32, writes: Bool, isAtomic: Bool, _ threads: ClockTable
    ) -> (thread: Int, writes: Bool)? {
        let object = Int(piece.object)
        let use = Use(writes: writes, isAtomic: isAtomic)
        prepare(object)
        if piece.isPart && !places[object].isSplit { split(object) }
        let row = Int(places[object].row)
        guard places[object].isSplit else { return access(row, by: thread, at: time, use, threads) }
        var rival: (Int, Bool)?
        for byte in 0..<Self.mostBytes where piece.bytes & 1 << byte != 0 {
            let found = access(row + byte, by: thread, at: time, use, threads)
            rival = rival ?? found
        }
        return rival
    }

    private func access(
        _ row: Int, by thread: Int, at time: Int32, _ use: Use, _ threads: ClockTable
    ) -> (thread: Int, writes: Bool)? {
        let first = Self.uses * row  // The first of the row's clocks.
        if let rival = rival(first, thread, use, threads) { return rival }
        // A later access that races with one of the older accesses also races with this write, so they can be
        // forgotten.
        if use == .write { clocks.clear(first..<first + Self.uses) }
        clocks[first + use.rawValue][thread] = time
        return nil
    }

    @inline(always)
    private func rival(_ first: Int, _ thread: Int, _ use: Use, _ threads: ClockTable) -> (thread: Int, writes: Bool)? {
        func find(_ other: Use) -> (Int, Bool)? {
            let clock = clocks[first + other.rawValue]
            if threads.hasSeen(thread, clock) { return nil }
            return ((0..<threads.width).first { clock[$0] > threads[thread][$0] }!, other.isWrite)
        }
        if let rival = find(.write) { return rival }
        if use != .atomicRead && use != .atomicWrite, let rival = find(.atomicWrite) { return rival }
        if use.isWrite, let rival = find(.read) { return rival }
        return use == .write ? find(.atomicRead) : nil
    }

    // MARK: - Rows

    private mutating func prepare(_ object: Int) {
        if object >= placeCount {
            reserve(object + 1)
            (places + placeCount).update(repeating: Place(), count: object + 1 - placeCount)
            placeCount = object + 1
        }
        if places[object].row < 0 { places[object].row = Int32(truncatingIfNeeded: addRows(1)) }
    }

    private mutating func reserve(_ count: Int) {
        guard count > capacity else { return }
        let larger = UnsafeMutablePointer<Place>.allocate(capacity: count * 2)
        larger.update(from: places, count: placeCount)
        places.deallocate()
        places = larger
        capacity = count * 2
    }

    /// - Returns: the first of the new rows.
    private mutating func addRows(_ count: Int) -> Int {
        let first = rowCount
        rowCount += count
        clocks.reserve(rows: Self.uses * rowCount, width: clocks.width)
        clocks.clear(Self.uses * first..<Self.uses * rowCount)
        return first
    }

    /// Gives each byte of the object a row of its own, with the clocks that the object has had as a whole.
    @inline(never) private mutating func split(_ object: Int) {
        let whole = Int(places[object].row)
        let first = addRows(Self.mostBytes)
        for byte in 0..<Self.mostBytes {
            for use in 0..<Self.uses {
                clocks.set(Self.uses * (first + byte) + use, clocks[Self.uses * whole + use])
            }
        }
        places[object] = Place(row: Int32(truncatingIfNeeded: first), isSplit: true)
    }
}
