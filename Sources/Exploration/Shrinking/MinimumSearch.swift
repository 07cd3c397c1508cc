import Machine
import Trace

/// Looks for the cheapest schedule that leads to a finding, by trying all schedules, those with the fewest preemptions
/// first. If the program is small enough, the result is the minimum.
struct MinimumSearch {
    private let goal: Counterexample.Identity
    private let subject: any Subject
    private var patience: ShrinkingPatience

    init(_ goal: Counterexample.Identity, _ subject: any Subject, patience: ShrinkingPatience) {
        self.goal = goal
        self.subject = subject
        self.patience = patience
    }

    /// The cheapest execution found that leads to the goal (`start`, if none is cheaper), and what is known about all
    /// others.
    mutating func minimum(from start: Rehearsal) -> (best: Rehearsal, minimality: Shrunk.Minimality) {
        let search = BoundedSearch(.preemptions, upTo: start.cost.preemptions, goal.cycleSearch(on: subject))
        var best = start
        var isFound = false
        var number = 0
        while search.prepare(number) {
            // All schedules with as few preemptions have been tried.
            if isFound && search.bound > best.cost.preemptions { return (best, .steps) }
            guard patience.isLeft else {
                // All schedules with fewer preemptions than the present bound have been tried.
                return (best, search.bound >= best.cost.preemptions ? .preemptions : .unknown)
            }
            let verdict = search.execute(subject)
            patience.steps -= subject.stepCount
            number += 1
            let rehearsal = subject.rehearsal(verdict, preemptions: search.bound, towards: goal)
            if rehearsal.end == goal && rehearsal.cost < best.cost {
                best = rehearsal
                isFound = true
            }
        }
        return (best, search.obstacle == nil ? .steps : .unknown)
    }
}

/// Looks for a schedule that leads to a finding with fewer preemptions, by random walks: first by walks without any
/// preemption, then by walks with at most one, and so on.
struct SparseSearch {
    private let goal: Counterexample.Identity
    private let subject: any Subject
    private let walk: SparseWalk
    private var patience: ShrinkingPatience

    /// The number of walks for each number of preemptions: as many as the patience allows within these limits.
    private static let mostWalks = 500
    private static let fewestWalks = 6
    /// Walks with this number of preemptions or more are not tried, because they rarely find a schedule that needs them
    /// all.
    private static let mostPreemptions = 8

    init(_ goal: Counterexample.Identity, _ subject: any Subject, patience: ShrinkingPatience) {
        self.goal = goal
        walk = SparseWalk(goal.cycleSearch(on: subject))
        self.subject = subject
        self.patience = patience
    }

    /// A schedule that leads to the goal with fewer preemptions.
    mutating func schedule(below cost: ScheduleCost) -> Schedule? {
        let affordable = patience.steps / max(1, cost.steps * Self.mostPreemptions)
        let walks = min(Self.mostWalks, max(affordable, Self.fewestWalks))
        for preemptions in 0..<min(cost.preemptions, Self.mostPreemptions) {
            for number in 0..<walks {
                guard patience.isLeft else { return nil }
                walk.prepare(number, preemptions: preemptions, length: cost.steps)
                let verdict = subject.execute(walk)
                patience.steps -= subject.stepCount
                let rehearsal = subject.rehearsal(verdict, preemptions: preemptions, towards: goal)
                if rehearsal.end == goal { return rehearsal.schedule }
            }
        }
        return nil
    }
}

/// A random walk with few preemptions: a thread usually continues while it can. Many bugs need at most one preemption,
/// and such walks find them quickly.
final class SparseWalk: Chooser {
    private var generator = SplitMix64(seed: 0)
    /// The number of preemptions left.
    private var budget = 0
    /// A thread is preempted once in this number of steps, on average.
    private var distance = 1
    private var hasYielded = false
    let cycleSearch: CycleSearch
    var plan: ChoosersPlan { .shortest }

    init(_ cycleSearch: CycleSearch) { self.cycleSearch = cycleSearch }

    /// Prepares the walk with this number, which has at most `preemptions` preemptions.
    ///
    /// - Parameter length: the number of steps of the execution whose end is sought.
    func prepare(_ number: Int, preemptions: Int, length: Int) {
        generator = SplitMix64(seed: UInt64(preemptions), execution: number)
        budget = preemptions
        // 4, 16 and 64 in turn.
        distance = 4 << (2 * (number % 3))
        // Spreads the preemptions, which would otherwise all come at the beginning of a long execution.
        if length > Self.longestOfShort && number % 2 == 0 { distance = max(distance, length / (preemptions + 1)) }
    }

    /// In executions with more steps, half of the walks spread their preemptions.
    private static let longestOfShort = 1000

    func begin() { hasYielded = false }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        let thread = pick(enabled, last)
        hasYielded = state.operation(of: Int(thread)).kind == .yield
        return thread
    }

    private func pick(_ enabled: UnsafeBufferPointer<UInt16>, _ last: UInt16) -> UInt16 {
        guard enabled.count > 1 else { return enabled[0] }
        let canContinue = enabled.contains(last) && !hasYielded
        if canContinue && (budget == 0 || generator.next(below: distance) > 0) { return last }
        let thread = enabled[generator.next(below: enabled.count)]
        if canContinue && thread != last { budget -= 1 }
        return thread
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        generator.next(below: count)
    }
}
