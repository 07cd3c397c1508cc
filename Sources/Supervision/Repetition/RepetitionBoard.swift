import Synchronization
import Trace

/// Memory shared by the processes of a repetition (many runs of a scenario, see `RepetitionPlan`): which runs are left,
/// whether to stop, and what each process has done.
///
/// These processes run a scenario's code, which may overwrite this memory, so its contents cannot be trusted.
final class RepetitionBoard {
    private let memory: SharedMemory
    /// The header, whose words are at the positions below, and then the slots.
    private let words: UnsafeMutablePointer<Atomic<Int>>
    /// The word with the first run of the next portion.
    private static let nextRunWord = 0
    /// The word that is 1 if the processes should stop.
    private static let stopWord = 1
    private let count: Int
    /// The number of runs that a process takes at a time.
    private let portion: Int

    private static let headerSize = RepetitionSlot.size

    /// - Parameter count: the number of runs.
    init(slots: Int, count: Int) throws(SupervisionFailed) {
        self.count = count
        // Small enough that all processes end at about the same time, and large enough that taking a portion costs
        // little in comparison with its runs.
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

    /// The next runs that no process has taken. Nil: none are left.
    func takeRuns() -> Range<Int>? {
        let begin = words[Self.nextRunWord].wrappingAdd(portion, ordering: .relaxed).oldValue
        return 0..<count ~= begin ? begin..<min(begin + portion, count) : nil
    }

    var isStopped: Bool { words[Self.stopWord].load(ordering: .relaxed) != 0 }

    func stop() { words[Self.stopWord].store(1, ordering: .relaxed) }
}

/// The part of the board that one process writes: its current run, and how its runs ended. It outlives the process, so
/// a run that ends its process loses no other run's result.
struct RepetitionSlot {
    private let words: UnsafeMutablePointer<Atomic<Int>>
    /// The number of runs of the repetition.
    private let limit: Int

    /// The size in words: a multiple of a cache line, so that processes do not write to the same line.
    static let size = 32

    private static let kinds = OutcomeKind.allCases

    /// The positions of words: the current run, the end of its portion, then for each outcome a count and the first
    /// run.
    private static let current = 0
    private static let end = 1
    private static let counts = 2
    private static let firsts = 2 + kinds.count

    init(_ words: UnsafeMutablePointer<Atomic<Int>>, limit: Int) {
        self.words = words
        self.limit = limit
    }

    func clear() {
        idle()
        for kind in Self.kinds.indices { words[Self.firsts + kind].store(.max, ordering: .relaxed) }
    }

    // MARK: - The process's side

    /// - Parameter end: the end of the run's portion.
    func begin(_ run: Int, end: Int) {
        words[Self.end].store(end, ordering: .relaxed)
        words[Self.current].store(run, ordering: .releasing)
    }

    /// - Parameter kind: the index of the outcome among all cases.
    func note(_ kind: Int, of run: Int) {
        let count = words + Self.counts + kind
        let first = words + Self.firsts + kind
        if run < first.pointee.load(ordering: .relaxed) { first.pointee.store(run, ordering: .relaxed) }
        count.pointee.store(count.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Notes that no run is in progress.
    func idle() { words[Self.current].store(-1, ordering: .releasing) }

    // MARK: - The parent's side

    /// The run in progress, and the remaining runs of its portion. Nil: no run is in progress.
    var run: (number: Int, rest: Range<Int>)? {
        let number = words[Self.current].load(ordering: .acquiring)
        guard 0..<limit ~= number else { return nil }
        let end = min(max(number + 1, words[Self.end].load(ordering: .relaxed)), limit)
        return (number, number + 1..<end)
    }

    /// The results so far.
    var tally: OutcomeTally {
        var tally = OutcomeTally()
        for (index, kind) in Self.kinds.enumerated() {
            let count = SharedCount.clamped(words[Self.counts + index].load(ordering: .acquiring))
            let first = words[Self.firsts + index].load(ordering: .relaxed)
            tally.add(kind, count: count, first: min(max(0, first), limit - 1))
        }
        return tally
    }
}
