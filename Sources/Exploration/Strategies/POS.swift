import Machine
import Trace

/// Partial order sampling (Yuan, Yang, Gu: Partial order aware concurrency sampling, CAV 2018).
///
/// Each thread's next step has a random priority, and the enabled step with the highest priority is taken. The enabled
/// steps that depend on it get new priorities. The order of dependent steps is thus drawn again each time, and the
/// order of independent ones costs nothing: an execution with few dependent pairs is much more likely than in a random
/// walk. Names and numbers of threads have no influence.
package final class POS: Strategy {
    private let seed: UInt64
    private var generator: SplitMix64
    /// By thread: the priority of its next step.
    private let priorities = UnsafeMutablePointer<UInt64>.allocate(capacity: MachineState.maximumThreads)
    private var threadCount = 0
    private let taken = StepFootprint()
    private let other = StepFootprint()

    package init(seed: UInt64) {
        self.seed = seed
        generator = SplitMix64(seed: seed)
    }

    deinit {
        priorities.deallocate()
        taken.deallocate()
        other.deallocate()
    }

    package func prepare(_ number: Int) -> Bool {
        generator = SplitMix64(seed: seed, execution: number)
        return true
    }

    package func begin() { threadCount = 0 }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        while threadCount < state.threadCount {
            priorities[threadCount] = generator.next()
            threadCount += 1
        }
        var chosen = enabled[0]
        if enabled.count > 1 {
            for thread in enabled where priorities[Int(thread)] > priorities[Int(chosen)] { chosen = thread }
            redraw(enabled, after: chosen, state)
        }
        priorities[Int(chosen)] = generator.next()
        return chosen
    }

    /// Draws new priorities for the enabled steps that depend on the chosen one.
    private func redraw(_ enabled: UnsafeBufferPointer<UInt16>, after chosen: UInt16, _ state: MachineState) {
        taken.fill(with: Int(chosen), state)
        if taken.accesses.isEmpty { return }
        for thread in enabled where thread != chosen {
            other.fill(with: Int(thread), state)
            if taken.conflicts(with: other) { priorities[Int(thread)] = generator.next() }
        }
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        generator.next(below: count)
    }
}
