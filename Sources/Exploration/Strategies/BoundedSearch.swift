import Machine

/// Depth-first search through all interleavings within a bound: first those without a preemption or delay, then those
/// with one, and so on. Each round repeats the executions of earlier rounds. If no choice was cut off, everything was
/// tried, which is a proof.
package final class BoundedSearch: Strategy {
    private let cost: Cost
    private let maximum: Int

    /// The maximum cost of an execution in this round.
    package private(set) var bound = 0
    /// Whether all interleavings have been run to their end, not only those within the bound.
    package private(set) var isComplete = false
    /// The number of executions that repeated one of an earlier round, in all rounds so far.
    package private(set) var repeated = 0
    /// The number of executions that were not repetitions.
    package private(set) var distinctCount = 0
    /// Set if the program behaved differently after the same choices, so that the search cannot continue.
    package private(set) var obstacle: Obstacle?

    /// A choice with several alternatives to try.
    private struct Decision {
        var way: Int32
        var count: Int32
    }

    /// The choices with several alternatives in the running execution. The next execution repeats them up to the last
    /// one that has an alternative left, and takes that alternative.
    private var path = UnsafeMutablePointer<Decision>.allocate(capacity: BoundedSearch.firstCapacity)
    private var capacity = BoundedSearch.firstCapacity
    private static let firstCapacity = 1024
    private var count = 0
    /// The position of the running execution on the path.
    private var position = 0
    /// The cost of the running execution so far.
    private var spent = 0
    private var hasYielded = false
    /// Whether the bound (`isCut`) or the step limit (`isTruncated`) cut anything off in this round.
    private var isCut = false
    private var isTruncated = false

    package let cycleSearch: CycleSearch
    package var plan: ChoosersPlan { .shortest }

    /// - Parameters:
    ///   - maximum: the bound of the last round.
    ///   - cycleSearch: when the driver looks for cycles.
    package init(_ cost: Cost, upTo maximum: Int = .max, _ cycleSearch: CycleSearch = .sometimes) {
        self.cycleSearch = cycleSearch
        self.cost = cost
        self.maximum = cost == .none ? 0 : maximum
    }

    deinit { path.deallocate() }

    /// The part of this round that is done, if each choice splits the remaining part evenly.
    package var progress: Double {
        var done = 0.0
        var share = 1.0
        for decision in UnsafeBufferPointer(start: path, count: count) {
            share /= Double(decision.count)
            done += share * Double(decision.way)
        }
        return done
    }

    package func prepare(_ number: Int) -> Bool {
        if number == 0 { return true }
        if obstacle != nil { return false }
        while count > 0 {
            path[count - 1].way += 1
            if path[count - 1].way < path[count - 1].count { return true }
            count -= 1
        }
        isComplete = !isCut && !isTruncated
        guard isCut, bound < maximum else { return false }
        isCut = false
        isTruncated = false
        bound += 1
        return true
    }

    package func execute(_ subject: any Subject) -> Verdict {
        let verdict = subject.execute(self)
        if verdict.isCutOff { isTruncated = true }
        if spent < bound { repeated += 1 } else { distinctCount += 1 }
        return verdict
    }

    package func begin() {
        position = 0
        spent = 0
        hasYielded = false
    }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        var thread = enabled[0]
        if enabled.count > 1 {
            // Choices count threads in the order of creation, from the last one that ran, so the first costs nothing.
            let first = enabled.firstIndex { hasYielded ? $0 > last : $0 >= last } ?? 0
            let isPreemption = enabled[first] == last || hasYielded
            guard let rank = choose(among: affordable(enabled.count, isPreemption)) else { return nil }
            switch cost {
            case .none: break
            case .preemptions: if isPreemption && rank > 0 { spent += 1 }
            case .delays: spent += rank
            }
            thread = enabled[(first + rank) % enabled.count]
        }
        hasYielded = state.operation(of: Int(thread)).kind == .yield
        return thread
    }

    /// The number of threads that can be chosen within the remaining bound.
    ///
    /// - Parameters:
    ///   - enabledCount: the number of enabled threads.
    ///   - isPreemption: whether all threads but the first cost one preemption.
    @inline(__always) private func affordable(_ enabledCount: Int, _ isPreemption: Bool) -> Int {
        var result = enabledCount
        switch cost {
        case .none: break
        case .preemptions: if isPreemption && spent == bound { result = 1 }
        case .delays: result = min(enabledCount, bound - spent + 1)
        }
        if result < enabledCount { isCut = true }
        return result
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        choose(among: count)
    }

    /// The path's choice at this position, or the first alternative at the path's end.
    @inline(__always) private func choose(among ways: Int) -> Int? {
        if ways == 1 { return 0 }
        if position == count { extendPath(ways) }
        let decision = path[position]
        position += 1
        guard decision.count == ways else {
            obstacle = .diverged(choice: position)
            return nil
        }
        return Int(decision.way)
    }

    private func extendPath(_ ways: Int) {
        if count == capacity {
            let longer = UnsafeMutablePointer<Decision>.allocate(capacity: capacity * 2)
            longer.moveInitialize(from: path, count: count)
            path.deallocate()
            path = longer
            capacity *= 2
        }
        path[count] = Decision(way: 0, count: Int32(truncatingIfNeeded: ways))
        count += 1
    }
}

/// What a choice costs in a bounded search. Cheaper interleavings are simpler, and most bugs need only cheap ones.
package enum Cost: Sendable {
    /// Nothing: all interleavings are searched.
    case none
    /// One if another thread steps although the last one could continue (Musuvathi, Qadeer: Iterative context bounding
    /// for systematic testing of multithreaded programs, PLDI 2007). After a yield, the next thread in the order of
    /// creation continues at no cost, and any other thread costs one. Otherwise threads that wait by yielding could
    /// alternate forever at no cost.
    case preemptions
    /// The number of threads passed over, in the order of creation starting with the last thread. A thread that yielded
    /// comes last (Emmi, Qadeer, Rakamarić: Delay-bounded scheduling, POPL 2011).
    case delays
}
