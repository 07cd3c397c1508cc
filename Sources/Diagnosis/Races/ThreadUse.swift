/// Which threads read a cell, and which write it.
struct ThreadUse {
    /// A bit for each thread. All threads beyond the last bit share it.
    private var readers: UInt64 = 0
    private var writers: UInt64 = 0

    mutating func add(_ access: CellAccess) {
        let bit: UInt64 = 1 << min(UInt64(access.thread.index), 63)
        if access.isWrite { writers |= bit } else { readers |= bit }
    }

    /// Whether no thread both reads and writes the cell. No thread then writes a value that depends on what it read,
    /// and an atomic suffices.
    var isOneWay: Bool { readers & writers == 0 }
}
