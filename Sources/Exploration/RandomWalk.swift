import Machine

/// Picks uniformly among the threads that can step, and among the ways that a step can go. The same seed, the same choices.
package final class RandomWalk: Chooser {
    private var generator: SplitMix64

    package init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Begins anew with another seed.
    package func restart(seed: UInt64) { generator = SplitMix64(seed: seed) }

    package func begin() {}

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        enabled.count == 1 ? enabled[0] : enabled[generator.next(below: enabled.count)]
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        generator.next(below: count)
    }
}
