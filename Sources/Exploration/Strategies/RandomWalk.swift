import Machine
import Trace

/// Picks uniformly among the threads that can step, and among the alternatives of a step. The same seed gives the same
/// choices.
///
/// Every execution is possible; one with k choices between two threads has a probability of 2⁻ᵏ. So it is rare that a
/// thread takes many steps while another takes none.
package final class RandomWalk: Strategy {
    private let seed: UInt64
    private var generator: SplitMix64

    package init(seed: UInt64) {
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
