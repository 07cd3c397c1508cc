import Machine
import Trace

/// A random walk with few preemptions: mostly, a thread continues while it can. Many bugs need no preemption or one,
/// and are found quickly in this way.
final class SparseWalk: Chooser {
    private var generator = SplitMix64(seed: 0)
    /// The number of preemptions left.
    private var budget = 0
    /// One in this number of steps is preempted.
    private var distance = 1
    private var hasYielded = false
    let cycleSearch: CycleSearch
    var plan: ChoosersPlan { .shortest }

    init(_ cycleSearch: CycleSearch) { self.cycleSearch = cycleSearch }

    /// Prepares the walk of this number, with at most this number of preemptions.
    func prepare(_ number: Int, preemptions: Int) {
        generator = SplitMix64(seed: UInt64(preemptions), execution: number)
        budget = preemptions
        distance = 4 << (2 * (number % 3))
    }

    func begin() { hasYielded = false }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        let thread = pick(enabled, last)
        hasYielded = state.operation(of: Int(thread)).kind == .yield
        return thread
    }

    private func pick(_ enabled: UnsafeBufferPointer<UInt16>, _ last: UInt16) -> UInt16 {
        guard enabled.count > 1 else { return enabled[0] }
        let canGoOn = enabled.contains(last) && !hasYielded
        if canGoOn && (budget == 0 || generator.next(below: distance) > 0) { return last }
        let thread = enabled[generator.next(below: enabled.count)]
        if canGoOn && thread != last { budget -= 1 }
        return thread
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        generator.next(below: count)
    }
}
