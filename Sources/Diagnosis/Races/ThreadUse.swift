/// Which threads read a cell, and which write it.
struct ThreadUse {
    /// A bit for each thread. Those beyond the last bit share it.
    private var readers: UInt64 = 0
    private var writers: UInt64 = 0

    mutating func add(_ access: CellAccess) {
        let bit: UInt64 = 1 << min(UInt64(access.thread.index), 63)
        if access.isWrite { writers |= bit } else { readers |= bit }
    }

    /// Whether no thread both reads and writes it. Then no thread writes what it has made of what it read, and an atomic
    /// is enough.
    var isOneWay: Bool { readers & writers == 0 }
}
