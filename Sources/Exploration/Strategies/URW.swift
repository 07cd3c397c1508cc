import Machine
import Trace

/// Uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: Selectively uniform concurrency testing, ASPLOS 2025).
///
/// Picks among the threads that can step with probabilities proportional to their remaining steps. The steps of a
/// thread that has not been started count for the thread that will start it. If no thread waits for another, and all
/// take the estimated number of steps, every interleaving is equally likely, even if threads differ in length.
///
/// Some of the executions measure the number of steps (`Profile`).
package final class URW: Strategy {
    private let seed: UInt64
    private let profile: Profile
    private var number = 0
    private var generator: SplitMix64

    private struct Progress {
        /// The thread's node in the profile. −1: none.
        var node = -1
        /// The expected number of its remaining steps, with those of threads that it will start.
        var stepsLeft = 0
        /// The number of threads that it has started.
        var childCount = 0
    }

    /// By thread.
    private let progress = UnsafeMutablePointer<Progress>.allocate(capacity: MachineState.maximumThreads)
    private var threadCount = 0

    package init(seed: UInt64) {
        self.seed = seed
        profile = Profile(seed: seed)
        generator = SplitMix64(seed: seed)
    }

    deinit { progress.deallocate() }

    package func prepare(_ number: Int) -> Bool {
        self.number = number
        generator = SplitMix64(seed: seed, execution: number)
        return true
    }

    package func execute(_ subject: any Subject) -> Verdict { profile.execute(number, of: subject, by: self) }

    package func begin() { threadCount = 0 }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        while threadCount < state.threadCount {
            addThread(startedBy: ThreadTree.starter(last, known: threadCount))
            threadCount += 1
        }
        let chosen = enabled.count == 1 ? enabled[0] : pick(enabled)
        progress[Int(chosen)].stepsLeft -= 1
        return chosen
    }

    private func addThread(startedBy parent: Int) {
        progress[threadCount] = Progress()
        guard threadCount > 0 else { return setNode(ThreadTree.main, of: 0) }
        let number = progress[parent].childCount
        progress[parent].childCount += 1
        let node = progress[parent].node
        guard node >= 0, let child = profile.tree.child(number, of: node) else { return }
        setNode(child, of: threadCount)
        progress[parent].stepsLeft -= profile.familySteps[child]
    }

    private func setNode(_ node: Int, of thread: Int) {
        progress[thread].node = node
        progress[thread].stepsLeft = profile.familySteps[node]
    }

    @inline(__always) private func pick(_ enabled: UnsafeBufferPointer<UInt16>) -> UInt16 {
        var total = 0
        for thread in enabled { total += weight(of: thread) }
        var rest = generator.next(below: total)
        for thread in enabled {
            rest -= weight(of: thread)
            if rest < 0 { return thread }
        }
        return enabled[enabled.count - 1]
    }

    /// The thread's remaining steps, at least 1: a thread that exceeds its estimate is assumed to be about to take its
    /// last step.
    @inline(__always) private func weight(of thread: UInt16) -> Int { max(1, progress[Int(thread)].stepsLeft) }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        generator.next(below: count)
    }
}
