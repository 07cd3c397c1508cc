import CCompiled
import Machine

/// Which objects of the machine the bytes of a compiled program's memory are.
///
/// Memory is divided at every multiple of eight, and where accesses were seen to begin or end while it was learned what is a step. That
/// does not change during a search, so an access is always on the same objects, and two that have a byte in common have an object in
/// common. Where an access begins or ends elsewhere, it is on a part of an object: that makes steps dependent that need not be, and
/// which bytes race is decided by the bytes.
final class ProgramMemory {
    let pieces = MemoryPieces()
    private let program: UnsafeMutablePointer<compiled_program_t>
    private let objects: ProgramObjects
    /// Whether all divisions count that have been seen, and memory of which nothing was seen is divided at each byte: an event of a trace
    /// is on whole objects.
    private let isRecorded: Bool

    private static let mostWhole = UInt64(COMPILED_MOST_GRANULES)

    init(_ program: UnsafeMutablePointer<compiled_program_t>, _ objects: ProgramObjects, isRecorded: Bool) {
        self.program = program
        self.objects = objects
        self.isRecorded = isRecorded
    }

    deinit { pieces.deallocate() }

    /// The thread's next step is, among others, on these bytes.
    ///
    /// - Parameter isNew: called with each object that this execution has not used before, and its address.
    @inline(always)
    func add(_ address: UInt64, size: UInt64, to thread: Int, isNew: (UInt32, UInt64) -> Void) {
        let end = address + size
        let last = (end - 1) / 8
        let isLarge = last - address / 8 >= Self.mostWhole
        var granule = address / 8
        while true {
            let divisions = divisions(of: granule)
            if !isLarge || divisions != 0 || granule == address / 8 || granule == last {
                let from = max(address, granule * 8) - granule * 8
                let to = min(end, granule * 8 + 8) - granule * 8
                add(granule, divisions | 1, Int(from), Int(to), thread, isNew)
            }
            if granule == last { return }
            granule += 1
        }
    }

    /// A bit for each byte before which the granule is divided, the first of which is set if it is known. 0: nothing is known of it.
    @inline(always) private func divisions(of granule: UInt64) -> UInt8 {
        guard let entry = compiled_granule(program, granule), entry.pointee.number == granule else {
            return isRecorded ? 0xFF : 0
        }
        return isRecorded ? entry.pointee.learned | entry.pointee.seen : entry.pointee.learned
    }

    @inline(always)
    private func add(
        _ granule: UInt64, _ divisions: UInt8, _ from: Int, _ to: Int, _ thread: Int, _ isNew: (UInt32, UInt64) -> Void
    ) {
        // The last division that is not after the first byte.
        var start = from - (divisions << (7 - UInt8(from))).leadingZeroBitCount
        while start < to {
            let rest = (divisions >> UInt8(start)) >> 1
            let end = rest == 0 ? 8 : start + 1 + rest.trailingZeroBitCount
            let address = granule * 8 + UInt64(start)
            let size = end - start
            let object = objects.number(
                address, .memory, .cell, value: { Int(program.pointee.peek(address, UInt32(size))) },
                isNew: { isNew($0, address) })
            let (first, past) = (max(start, from), min(end, to))
            pieces.append(
                MemoryPiece(
                    object: object, bytes: UInt8(truncatingIfNeeded: (1 << past) - (1 << first)),
                    isPart: past - first != size, size: UInt8(size), address: address),
                to: thread)
            start = end
        }
    }

    /// The memory may have changed: these are its values now.
    @inline(always) func refresh(_ thread: Int, _ state: MachineState) {
        for piece in pieces[thread] {
            state.setWord(piece.object, Int(program.pointee.peek(piece.address, UInt32(piece.size))))
        }
    }
}
