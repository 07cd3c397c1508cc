import Machine
import Trace

/// Picks uniformly among the threads that can step, and among the alternatives of a step. Equal seeds give equal
/// choices.
///
/// Every execution is possible. One with k choices between two threads has a probability of 2⁻ᵏ, so a thread rarely
/// takes many steps while another takes none.
package final class RandomWalk: Strategy {
    private var seed: UInt64
    private var generator: SplitMix64

    package init(seed: UInt64) {
        self.seed = seed
        generator = SplitMix64(seed: seed)
    }

    /// Makes the next execution the first one of this seed.
    package func restart(seed: UInt64) {
        self.seed = seed
        generator = SplitMix64(seed: seed)
    }

    package func prepare(_ number: Int) -> Bool {
        generator = SplitMix64(seed: seed, execution: number)
        return true
    }

    package func begin() {}

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        enabled.count == 1 ? enabled[0] : enabled[generator.next(below: enabled.count)]
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        generator.next(below: count)
    }
}

/// Gives the threads time slices in turn, as an operating system does: of one step in the first execution, of two in
/// the second, and so on, until a slice is longer than any thread needs. A step takes its first alternative.
///
/// It guarantees nothing. Its few executions are the most regular ones, which random strategies rarely produce.
package final class RoundRobin: Strategy {
    /// The length of a slice in this execution, and the number of steps that the running thread has taken in its slice.
    private var slice = 1
    private var used = 0
    private var hasYielded = false
    /// Whether, in this execution, the end of a slice has stopped a thread that could have continued.
    private var wasCut = true

    package init() {}

    package func prepare(_ number: Int) -> Bool {
        guard number == 0 || wasCut else { return false }
        slice = number + 1
        return true
    }

    package func begin() {
        used = 0
        hasYielded = false
        wasCut = false
    }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        var chosen = enabled.first { $0 >= last } ?? enabled[0]
        if chosen == last && enabled.count > 1 && (used >= slice || hasYielded) {
            if !hasYielded { wasCut = true }
            chosen = enabled.first { $0 > last } ?? enabled[0]
        }
        used = chosen == last ? used + 1 : 1
        hasYielded = state.operation(of: Int(chosen)).kind == .yield
        return chosen
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? { 0 }
}
