/// Which threads read a cell, and which write it.
struct ThreadUse {
    /// A bit for each thread. The threads from number 63 on share the last bit.
    private var readers: UInt64 = 0
    private var writers: UInt64 = 0

    mutating func add(_ access: CellAccess) {
        let bit: UInt64 = 1 << min(UInt64(access.thread.index), 63)
        if access.isWrite { writers |= bit } else { readers |= bit }
    }

    /// Whether no thread both reads and writes the cell. Then no thread writes a value that depends on what it has
    /// read, and an atomic variable suffices instead of a lock.
    var isOneWay: Bool { readers & writers == 0 }
}
