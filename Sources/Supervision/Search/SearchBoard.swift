import Exploration
import Synchronization

/// The state shared by the processes of a search: which process does what, how far each one is, and whether to stop.
///
/// The processes that write here run a scenario's code, which may also write here, so anything may be read.
final class SearchBoard {
    /// The state that one process publishes while it works.
    struct Slot: ~Copyable {
        fileprivate let currentUnit = Atomic(-1)
        let counts = PublishedCounts()

        /// The unit that it is working on. Nil: it has not started.
        var unit: Int? {
            let unit = currentUnit.load(ordering: .acquiring)
            return SharedCount.range.contains(unit) ? unit : nil
        }

        func begin(_ unit: Int) { currentUnit.store(unit, ordering: .releasing) }

        /// Resets the slot for a new process.
        func reset() {
            currentUnit.store(-1, ordering: .releasing)
            counts.publish(SearchCounts())
        }
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
        for slot in 0..<count { (slots + slot).initialize(to: Slot()) }
    }

    func slot(_ number: Int) -> UnsafeMutablePointer<Slot> { slots + number }

    /// The next unit of the agenda that no process has taken.
    func takeUnit() -> Int { header.pointee.nextUnit.wrappingAdd(1, ordering: .relaxed).oldValue }

    var isStopped: Bool { header.pointee.stop.load(ordering: .relaxed) }

    func stop() { header.pointee.stop.store(true, ordering: .relaxed) }
}
