import Exploration
import Synchronization

/// What the processes of a search share: who does what, how far each has come, and whether to stop.
final class SearchBoard {
    /// What one process says of itself while it works.
    struct Slot {
        /// The unit that it is at. −1: it has not begun.
        var unit = -1
        var counts = SearchCounts()
    }

    private struct Header: ~Copyable {
        let stop = Atomic(false)
        let nextUnit = Atomic(0)
    }

    private let memory: SharedMemory
    private let header: UnsafeMutablePointer<Header>
    private let slots: UnsafeMutablePointer<Slot>

    init(slots count: Int) throws(SupervisionFailed) {
        memory = try SharedMemory(size: 4096 + count * MemoryLayout<Slot>.stride, for: "the search")
        header = memory.bytes.baseAddress!.bindMemory(to: Header.self, capacity: 1)
        header.initialize(to: Header())
        slots = (memory.bytes.baseAddress! + 4096).bindMemory(to: Slot.self, capacity: count)
        slots.initialize(repeating: Slot(), count: count)
    }

    func slot(_ number: Int) -> UnsafeMutablePointer<Slot> { slots + number }

    /// The next unit of the agenda that nobody has taken.
    func takeUnit() -> Int { header.pointee.nextUnit.wrappingAdd(1, ordering: .relaxed).oldValue }

    var isStopped: Bool { header.pointee.stop.load(ordering: .relaxed) }

    func stop() { header.pointee.stop.store(true, ordering: .relaxed) }
}
