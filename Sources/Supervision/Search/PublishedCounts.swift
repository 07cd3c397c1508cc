import Exploration
import Synchronization

/// The counts of a unit's running executions, in memory that another process may read: each number was current at some
/// time, but not all at the same time.
struct PublishedCounts: ~Copyable, Sendable {
    private let words = InlineArray<12, Atomic<Int>> { _ in Atomic(0) }

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
    /// The maximum count: more is never reached, and counts up to it can be added up.
    static let range = 0...1 << 48

    /// - Parameter count: the count as read from memory.
    static func clamped(_ count: Int) -> Int { min(max(count, range.lowerBound), range.upperBound) }
}
