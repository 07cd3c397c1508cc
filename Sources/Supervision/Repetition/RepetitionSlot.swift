import Synchronization
import Trace

/// The part of the board that one process writes: what it does, and how its runs ended. It outlives the process, so that
/// a run that ends its process costs no other run's result.
struct RepetitionSlot {
    private let words: UnsafeMutablePointer<Atomic<Int>>
    /// The number of all runs.
    private let limit: Int

    /// In words; a multiple of a cache line, so that processes do not write to the same one.
    static let size = 32

    private static let kinds = OutcomeKind.allCases

    /// The words of the run in progress, and of the end of the portion; then the counts, and the first runs.
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

    /// - Parameter end: the end of its portion.
    func begin(_ run: Int, end: Int) {
        words[Self.end].store(end, ordering: .relaxed)
        words[Self.current].store(run, ordering: .releasing)
    }

    /// - Parameter kind: the position of the outcome among all cases.
    func note(_ kind: Int, of run: Int) {
        let count = words + Self.counts + kind
        let first = words + Self.firsts + kind
        if run < first.pointee.load(ordering: .relaxed) { first.pointee.store(run, ordering: .relaxed) }
        count.pointee.store(count.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// No run is in progress.
    func idle() { words[Self.current].store(-1, ordering: .releasing) }

    // MARK: - The parent's side

    /// The run in progress, and the runs of its portion that come after it. Nil: there is none.
    var run: (number: Int, rest: Range<Int>)? {
        let number = words[Self.current].load(ordering: .acquiring)
        guard 0..<limit ~= number else { return nil }
        let end = min(max(number + 1, words[Self.end].load(ordering: .relaxed)), limit)
        return (number, number + 1..<end)
    }

    /// What has been noted so far.
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
