import Exploration
import Synchronization

/// State shared by the processes of a search: the work of each, its progress, and whether to stop.
///
/// These processes run a scenario's code, which may overwrite this memory, so its contents cannot be trusted.
final class SearchBoard {
    /// The part of the board in which one process publishes its progress.
    struct Slot: ~Copyable {
        fileprivate let currentUnit = Atomic(-1)
        let counts = PublishedCounts()

        /// The unit on which the process works. Nil: it has not started one.
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
        /// The number of the next unit (in a search that is divided: part) that no process has taken.
        let nextUnit = Atomic(0)
    }

    private let memory: SharedMemory
    /// The size of the header and the unused memory after it, in bytes: a page, which no slot shares.
    private static let headerSize = 4096
    private let header: UnsafeMutablePointer<Header>
    private let slots: UnsafeMutablePointer<Slot>

    init(slots count: Int) throws(SupervisionFailed) {
        memory = try SharedMemory(size: Self.headerSize + count * MemoryLayout<Slot>.stride, for: "the search")
        header = memory.bytes.baseAddress!.bindMemory(to: Header.self, capacity: 1)
        header.initialize(to: Header())
        slots = (memory.bytes.baseAddress! + Self.headerSize).bindMemory(to: Slot.self, capacity: count)
        for slot in 0..<count { (slots + slot).initialize(to: Slot()) }
    }

    func slot(_ number: Int) -> UnsafeMutablePointer<Slot> { slots + number }

    /// Takes the next unit of the agenda, or the next part of a divided search, that no process has taken.
    func takeUnit() -> Int { header.pointee.nextUnit.wrappingAdd(1, ordering: .relaxed).oldValue }

    var isStopped: Bool { header.pointee.stop.load(ordering: .relaxed) }

    func stop() { header.pointee.stop.store(true, ordering: .relaxed) }
}

/// A process of a search, as its parent sees it.
struct SearchProcess {
    let duty: SearchWorker.Duty
    let slot: UnsafeMutablePointer<SearchBoard.Slot>
    /// The number of fatal ends that were known when it was started.
    let knownEnds: Int
    var process: WatchedProcess
}

/// The counts of a unit in progress, in memory that another process may read. Each number was correct at some moment,
/// but not all at the same moment.
struct PublishedCounts: ~Copyable, Sendable {
    /// As many words as `SearchCounts.words` has.
    private let words = InlineArray<13, Atomic<Int>> { _ in Atomic(0) }

    @inline(__always) func publish(_ counts: SearchCounts) {
        let new = counts.words
        for place in words.indices { words[place].store(new[place], ordering: .relaxed) }
    }

    var counts: SearchCounts {
        var counts = SearchCounts()
        for place in words.indices { counts.words[place] = SharedCount.clamped(words[place].load(ordering: .relaxed)) }
        return counts
    }
}

/// A count in memory shared with a process that runs a scenario's code, which may have overwritten it.
enum SharedCount {
    /// The possible counts. No greater one is ever reached, and these can be added without overflow.
    static let range = 0...1 << 48

    /// - Parameter count: the count as read from memory.
    static func clamped(_ count: Int) -> Int { min(max(count, range.lowerBound), range.upperBound) }
}
