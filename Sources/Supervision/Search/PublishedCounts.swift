import Exploration
import Synchronization

/// The counts of a unit's running executions, in memory that another process may read: each number was current at some
/// time, but not all at the same time.
struct PublishedCounts: ~Copyable, Sendable {
    private let executions = Atomic(0)
    private let steps = Atomic(0)
    private let longest = Atomic(0)
    private let cutOff = Atomic(0)
    private let redundant = Atomic(0)
    private let timed = Atomic(0)
    private let spent = Atomic(0)
    private let states = Atomic(0)
    private let moves = Atomic(0)
    private let memory = Atomic(0)
    private let open = Atomic(0)
    private let depth = Atomic(0)

    @inline(__always) func publish(_ counts: SearchCounts) {
        executions.store(counts.executions, ordering: .relaxed)
        steps.store(counts.steps, ordering: .relaxed)
        longest.store(counts.longest, ordering: .relaxed)
        cutOff.store(counts.cutOff, ordering: .relaxed)
        redundant.store(counts.redundant, ordering: .relaxed)
        timed.store(counts.timed, ordering: .relaxed)
        spent.store(counts.spent, ordering: .relaxed)
        states.store(counts.states, ordering: .relaxed)
        moves.store(counts.moves, ordering: .relaxed)
        memory.store(counts.memory, ordering: .relaxed)
        open.store(counts.open, ordering: .relaxed)
        depth.store(counts.depth, ordering: .relaxed)
    }

    var counts: SearchCounts {
        var counts = SearchCounts()
        counts.executions = SharedCount.clamped(executions.load(ordering: .relaxed))
        counts.steps = SharedCount.clamped(steps.load(ordering: .relaxed))
        counts.longest = SharedCount.clamped(longest.load(ordering: .relaxed))
        counts.cutOff = SharedCount.clamped(cutOff.load(ordering: .relaxed))
        counts.redundant = SharedCount.clamped(redundant.load(ordering: .relaxed))
        counts.timed = SharedCount.clamped(timed.load(ordering: .relaxed))
        counts.spent = SharedCount.clamped(spent.load(ordering: .relaxed))
        counts.states = SharedCount.clamped(states.load(ordering: .relaxed))
        counts.moves = SharedCount.clamped(moves.load(ordering: .relaxed))
        counts.memory = SharedCount.clamped(memory.load(ordering: .relaxed))
        counts.open = SharedCount.clamped(open.load(ordering: .relaxed))
        counts.depth = SharedCount.clamped(depth.load(ordering: .relaxed))
        return counts
    }
}
