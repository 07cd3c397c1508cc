import Machine
import Trace

/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with
/// probabilistic guarantees of finding bugs, ASPLOS 2010).
///
/// Each thread has a random priority, and the enabled thread with the highest priority steps. At each of d − 1 random
/// steps, the priority of the thread that would step falls below all that have not fallen so far. A bug of depth d is
/// one that d orderings of two steps each suffice to cause. In a program of n threads and k steps it is found with a
/// probability of at least 1/(n kᵈ⁻¹).
///
/// Some of the executions only measure (`Profile`): k is the number of steps of the longest of these. A thread that
/// yields falls below all others.
package final class PCT: Strategy {
    private let seed: UInt64
    private let depth: Int
    private let profile: Profile
    /// The number of steps of an execution. Nil: it must be measured.
    private let knownSteps: Int?
    private var number = 0

    private var generator: SplitMix64
    /// By thread: its priority; greater is higher. At first it is at least `depth`. After a fall at one of `changes` it
    /// is from 0 to `depth` − 2; after a yield it is negative (`lowest` is the last of these).
    private let priorities = UnsafeMutablePointer<Int>.allocate(capacity: MachineState.maximumThreads)
    private var threadCount = 0
    private var lowest = 0
    private var step = 0
    /// The d − 1 steps at which a thread falls, counted from 1. A thread that falls at `changes[i]` gets priority i.
    private let changes: UnsafeMutablePointer<Int>
    /// The first of these steps that is still to come.
    private var nextChange = Int.max

    /// - Parameters:
    ///   - depth: the depth of the bugs to look for, from 1.
    ///   - steps: the number of steps of the program's executions. Nil: not known.
    package init(seed: UInt64, depth: Int, steps: Int? = nil) {
        precondition(depth >= 1, "a bug needs at least one ordering")
        self.seed = seed
        self.depth = depth
        knownSteps = steps
        profile = Profile(seed: seed)
        generator = SplitMix64(seed: seed)
        changes = .allocate(capacity: depth)
    }

    deinit {
        priorities.deallocate()
        changes.deallocate()
    }

    package func prepare(_ number: Int) -> Bool {
        self.number = number
        generator = SplitMix64(seed: seed, execution: number)
        return true
    }

    package func execute(_ subject: any Subject) -> Verdict {
        knownSteps == nil ? profile.execute(number, of: subject, by: self) : subject.execute(self)
    }

    package func begin() {
        threadCount = 0
        lowest = 0
        step = 0
        let steps = max(1, knownSteps ?? profile.mostSteps)
        for change in 0..<depth - 1 { changes[change] = 1 + generator.next(below: steps) }
        findNextChange()
    }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        while threadCount < state.threadCount {
            // Shifted, so that the sum does not overflow.
            priorities[threadCount] = depth + Int(generator.next() >> 2)
            threadCount += 1
        }
        step += 1
        var thread = highest(of: enabled)
        if step == nextChange {
            for change in 0..<depth - 1 where changes[change] == step {
                priorities[Int(thread)] = change
                thread = highest(of: enabled)
            }
            findNextChange()
        }
        if state.operation(of: Int(thread)).kind == .yield {
            lowest -= 1
            priorities[Int(thread)] = lowest
        }
        return thread
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        generator.next(below: count)
    }

    @inline(__always) private func highest(of enabled: UnsafeBufferPointer<UInt16>) -> UInt16 {
        var highest = enabled[0]
        for thread in enabled where priorities[Int(thread)] > priorities[Int(highest)] { highest = thread }
        return highest
    }

    private func findNextChange() {
        nextChange = .max
        for change in 0..<depth - 1 where changes[change] > step { nextChange = min(nextChange, changes[change]) }
    }
}
