import Synchronization

/// The memory shared by the processes of a repetition: which runs are still to do, and whether to stop.
///
/// The processes that write here run a scenario's code, which may also write here, so anything may be read.
final class RepetitionBoard {
    private let memory: SharedMemory
    /// The first runs of the next portion, whether to stop, and after them the slots.
    private let words: UnsafeMutablePointer<Atomic<Int>>
    private let count: Int
    private let portion: Int

    private static let headerSize = RepetitionSlot.size

    /// - Parameter count: the number of runs.
    init(slots: Int, count: Int) throws(SupervisionFailed) {
        self.count = count
        // Small enough for all processes to end at about the same time, large enough that taking one costs nothing.
        portion = max(1, min(512, count / (slots * 8)))
        let size = Self.headerSize + slots * RepetitionSlot.size
        memory = try SharedMemory(size: size * MemoryLayout<Atomic<Int>>.stride, for: "the runs")
        words = memory.bytes.baseAddress!.bindMemory(to: Atomic<Int>.self, capacity: size)
        for word in 0..<size { (words + word).initialize(to: Atomic(0)) }
        for number in 0..<slots { slot(number).clear() }
    }

    func slot(_ number: Int) -> RepetitionSlot {
        RepetitionSlot(words + Self.headerSize + number * RepetitionSlot.size, limit: count)
    }

    /// The next runs that no process has taken. Nil: there are none.
    func takeRuns() -> Range<Int>? {
        let begin = words[0].wrappingAdd(portion, ordering: .relaxed).oldValue
        return 0..<count ~= begin ? begin..<min(begin + portion, count) : nil
    }

    var isStopped: Bool { words[1].load(ordering: .relaxed) != 0 }

    func stop() { words[1].store(1, ordering: .relaxed) }
}
