import CCompiled
import Machine

/// Maps the bytes of a compiled program's memory to objects of the machine.
///
/// An object is at most a *granule*: eight bytes at a multiple of eight. A granule is divided into several objects
/// where accesses were seen to begin or end while steps were learned. That does not change during a search, so an
/// access is always on the same objects, and two accesses with a byte in common have an object in common. An access
/// that begins or ends elsewhere is on a part of an object. That makes some independent steps dependent, but data races
/// are decided by bytes.
final class ProgramMemory {
    let pieces = MemoryPieces()
    private let program: UnsafeMutablePointer<compiled_program_t>
    private let objects: ProgramObjects
    /// Whether the execution is recorded. Then all divisions count that have been seen, and a granule that was never
    /// accessed is divided at each byte, because an event of a trace is on whole objects.
    private let isRecorded: Bool

    /// The maximum number of granules of an access for which all of them count. Of a larger access, only those granules
    /// count that were learned, and the first and the last.
    private static let mostWhole = UInt64(COMPILED_MOST_GRANULES)

    init(_ program: UnsafeMutablePointer<compiled_program_t>, _ objects: ProgramObjects, isRecorded: Bool) {
        self.program = program
        self.objects = objects
        self.isRecorded = isRecorded
    }

    deinit { pieces.deallocate() }

    /// Adds `size` bytes from the address on to those that the thread's next step accesses.
    ///
    /// - Parameter onNew: called with each object that this execution has not used before, and its address.
    @inline(always)
    func add(_ address: UInt64, size: UInt64, to thread: Int, onNew: (UInt32, UInt64) -> Void) {
        let end = address + size
        let last = (end - 1) / 8
        let isLarge = last - address / 8 >= Self.mostWhole
        var granule = address / 8
        while true {
            let divisions = divisions(of: granule)
            if !isLarge || divisions != 0 || granule == address / 8 || granule == last {
                let from = max(address, granule * 8) - granule * 8
                let to = min(end, granule * 8 + 8) - granule * 8
                add(granule, divisions | 1, Int(from), Int(to), thread, onNew)
            }
            if granule == last { return }
            granule += 1
        }
    }

    /// A bit for each byte of the granule: whether the granule is divided before that byte. The lowest bit is set if
    /// accesses to the granule are known. 0: none is known.
    @inline(always) private func divisions(of granule: UInt64) -> UInt8 {
        guard let entry = compiled_granule(program, granule), entry.pointee.number == granule else {
            return isRecorded ? 0xFF : 0
        }
        return isRecorded ? entry.pointee.learned | entry.pointee.seen : entry.pointee.learned
    }

    /// Adds the objects of one granule.
    ///
    /// - Parameters:
    ///   - divisions: as in `divisions(of:)`.
    ///   - from: the first byte of the access, 0 to 7.
    ///   - to: the byte after the last one, 1 to 8.
    @inline(always)
    private func add(
        _ granule: UInt64, _ divisions: UInt8, _ from: Int, _ to: Int, _ thread: Int, _ onNew: (UInt32, UInt64) -> Void
    ) {
        // The object that contains the first byte begins at the last division which is not after that byte.
        var start = from - (divisions << (7 - UInt8(from))).leadingZeroBitCount
        while start < to {
            let rest = (divisions >> UInt8(start)) >> 1
            let end = rest == 0 ? 8 : start + 1 + rest.trailingZeroBitCount
            let address = granule * 8 + UInt64(start)
            let size = end - start
            let object = objects.number(
                address, .memory, .cell, value: { Int(program.pointee.peek(address, UInt32(size))) },
                onNew: { onNew($0, address) })
            let (first, past) = (max(start, from), min(end, to))
            pieces.append(
                MemoryPiece(
                    object: object, bytes: UInt8(truncatingIfNeeded: (1 << past) - (1 << first)),
                    isPart: past - first != size, size: UInt8(size), address: address),
                to: thread)
            start = end
        }
    }

    /// Gives the machine the present values of the objects that the thread's step accesses, because the memory may have
    /// changed.
    @inline(always) func refresh(_ thread: Int, _ state: MachineState) {
        for piece in pieces[thread] {
            state.setWord(piece.object, Int(program.pointee.peek(piece.address, UInt32(piece.size))))
        }
    }
}
