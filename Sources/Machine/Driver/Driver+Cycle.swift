/// The search for executions that never end: the driver looks for cycles of states.
///
/// Examining the whole state costs more than a step. Unless the chooser asks for more, the driver therefore does so
/// only in some intervals of an execution, and shortly before the step limit.
extension Driver {
    /// The intervals in which the driver looks for a cycle, in steps.
    private struct Lookouts {
        /// The step at which the first interval begins.
        let first: Int
        /// The first step of each interval is that of the interval before, times this.
        let growth: Int
        /// An interval's length is its first step divided by this, within the limits of `lengths`.
        let part: Int
        let lengths: ClosedRange<Int>

        /// Few endless executions are expected: 128 steps after 4,096, 512 after 16,384, 1,024 after 65,536 … steps.
        static let rare = Lookouts(first: 4096, growth: 4, part: 32, lengths: 128...FairCycle.longest)
        /// The program says what its endless executions should do: all steps from 64 to 2,048, then 1,024 after 2,048,
        /// 4,096 … steps. A cycle in which many threads take turns is rarely short.
        static let frequent = Lookouts(first: 64, growth: 2, part: 1, lengths: 64...FairCycle.longest)

        /// The last interval begins this number of steps before the step limit.
        static let last = 128

        func length(after steps: Int) -> Int { max(lengths.lowerBound, min(steps / part, lengths.upperBound)) }
    }

    func beginCycleSearch(_ search: CycleSearch) {
        present.pointee.cycleSearch = search
        present.pointee.cycle.reset()
        present.pointee.clock.reset()
        present.pointee.watchesClock = mayPassTimeBesideOthers
        switch search {
        case .sometimes: lookOutLater()
        case .atPlansEnd, .always, .alwaysForCycle: setLookout(0)
        }
    }

    /// Called when `program` has been set or removed.
    func seeProgram() {
        present.pointee.watchesClock = mayPassTimeBesideOthers
        if present.pointee.cycleSearch == .sometimes {
            lookOutLater()
        } else {
            setLookout(present.pointee.cycleLookout)
        }
    }

    /// Sets the step from which the driver looks for a cycle. If it also watches the clock, it examines every state.
    private func setLookout(_ step: Int) {
        present.pointee.cycleLookout = step
        present.pointee.lookout = present.pointee.watchesClock ? 0 : step
    }

    /// The number of first steps of an execution in which the driver does not look for a cycle, unless the chooser asks
    /// for it, the program has expectations, or the memory model is weaker. What happens there depends on the state
    /// alone. Zero or negative: the driver looks from the beginning.
    package static func stepsBeforeCycleSearch(_ rules: Rules) -> Int {
        min(Lookouts.rare.first, rules.maximumSteps - Lookouts.last) - 1
    }

    private var lookouts: Lookouts {
        // Under a weaker memory model a loop can repeat itself by reading older messages again and again.
        present.pointee.program?.hasExpectations ?? false || present.pointee.weakMemory != nil ? .frequent : .rare
    }

    /// Looks for a cycle from the next interval on.
    func lookOutLater() {
        var next = lookouts.first
        while next < present.pointee.steps { next *= lookouts.growth }
        let last = max(0, present.pointee.rules.maximumSteps - Lookouts.last)
        setLookout(present.pointee.steps <= last ? min(next, last) : next)
    }

    /// Examines the whole state: whether the execution is in a cycle, and whether time passes beside threads that
    /// repeat themselves. Returns the number of threads that can step, or nil if the execution has ended.
    @inline(never) func lookOut(enabled count: Int, _ chooser: any Chooser) -> Int? {
        guard let program = present.pointee.program else {
            setLookout(.max)
            return count
        }
        var list: UnsafeBufferPointer<UInt16> { UnsafeBufferPointer(start: enabled.base, count: count) }
        let looksForCycle = present.pointee.steps >= present.pointee.cycleLookout
        let hash = looksForCycle || state.waitsForTime ? hash(program, leavesOutCounters: true) : 0
        if looksForCycle && goesInCycle(list, hash, program, chooser) { return nil }
        if present.pointee.watchesClock {
            guard let passes = letsTimePass(list, hash, chooser) else { return nil }
            if passes { return passTimeBesideOthers(program) }
        }
        return looksForCycle && !looksFurther(chooser) ? nil : count
    }

    /// The hash of the machine's and the program's state with which cycles are found. A cycle does not depend on
    /// counters, so they are left out, except to distinguish states of a cycle that differ only in counters.
    private func hash(_ program: ProgramView, leavesOutCounters: Bool) -> UInt64 {
        var hash = StateHash()
        state.hash(into: &hash, leavingOut: leavesOutCounters ? program.counters : [])
        hash.add(Int(truncatingIfNeeded: program.hash(leavesOutCounters)))
        return hash.value
    }

    func noteStep(of thread: Int) {
        if present.pointee.steps > present.pointee.cycleLookout { present.pointee.cycle.noteStep(of: thread) }
        present.pointee.clock.noteStep(of: thread)
    }

    // MARK: - Time beside threads that repeat themselves

    /// Whether time passes although threads can step. Nil: the chooser's plan cannot be followed, and the execution has
    /// ended.
    private func letsTimePass(_ enabled: UnsafeBufferPointer<UInt16>, _ hash: UInt64, _ chooser: any Chooser) -> Bool? {
        guard state.waitsForTime else {
            present.pointee.clock.reset()
            return false
        }
        present.pointee.clock.add(state, hash: hash, enabled: enabled)
        guard present.pointee.clock.isInCycle(present.pointee.rules.fairness) else { return false }
        guard
            let passes = chooser.letsTimePass(beside: UInt16(truncatingIfNeeded: present.pointee.current), state: state)
        else {
            present.pointee.verdict = .stopped
            return nil
        }
        present.pointee.log.append(.alternative(passes ? 0 : 1))
        return passes
    }

    /// Returns the number of threads that can step after that, or nil if the execution has ended.
    private func passTimeBesideOthers(_ program: ProgramView) -> Int? {
        guard let count = passTime() else { return nil }
        present.pointee.enabledCount = count
        let list = UnsafeBufferPointer(start: enabled.base, count: count)
        if state.waitsForTime {
            present.pointee.clock.add(state, hash: hash(program, leavesOutCounters: true), enabled: list)
        }
        return count
    }

    // MARK: - Cycles

    /// Whether the execution has ended with the present state: the state closes a cycle that a fair scheduler could
    /// follow forever or, under a weaker model, only repeats an earlier one.
    private func goesInCycle(
        _ enabled: UnsafeBufferPointer<UInt16>, _ hash: UInt64, _ program: ProgramView, _ chooser: any Chooser
    ) -> Bool {
        // Under a weaker model, an execution that repeats a state on the way to the part that is searched is not
        // redundant.
        if present.pointee.weakMemory != nil && chooser.plan == .led {
            present.pointee.cycle.reset()
            return false
        }
        let isAskedForWhole = present.pointee.weakMemory != nil || present.pointee.cycleSearch == .always
        let whole =
            program.counters.isEmpty || !isAskedForWhole ? nil : self.hash(program, leavesOutCounters: false)
        present.pointee.cycle.add(state, hash: hash, whole: whole, enabled: enabled)
        if present.pointee.weakMemory != nil && chooser.plan != .followed && present.pointee.cycle.isRedundant {
            present.pointee.verdict = .stopped
            return true
        }
        let isAtEnd = present.pointee.cycleSearch == .atPlansEnd && chooser.plan == .over
        let isDue = present.pointee.cycleSearch != .atPlansEnd || isAtEnd
        // At the step limit only short cycles count. An execution that follows a schedule has looked for cycles from
        // the beginning, any other only in the last steps before the limit, and both must reach the same verdict.
        let longest = present.pointee.steps < present.pointee.rules.maximumSteps ? FairCycle.longest : Lookouts.last
        if isDue, let cycle = present.pointee.cycle.cycle(present.pointee.rules.fairness, upTo: longest) {
            let verdict = verdict(of: cycle, program)
            // While a search that always looks for cycles follows a plan, only cycles that are errors count.
            if verdict != .forever || !present.pointee.cycleSearch.isAlways
                || chooser.plan != .followed && chooser.plan != .led
            {
                present.pointee.cycleLength = cycle.length
                present.pointee.cycling = (0..<state.threadCount).filter { present.pointee.cycle.steps($0, in: cycle) }
                present.pointee.verdict = verdict
                return true
            }
        }
        return false
    }

    /// Called after a state that closes no cycle. Ends the present interval of the search for cycles if it is over.
    ///
    /// - Returns: false if the execution has ended, because it only repeats itself.
    private func looksFurther(_ chooser: any Chooser) -> Bool {
        if present.pointee.cycleSearch.isAlways && repeatsItself(chooser) {
            present.pointee.verdict = .stopped
            return false
        }
        // The state in which the plan ended has been examined, and closes no cycle.
        let isAtEnd = present.pointee.cycleSearch == .atPlansEnd && chooser.plan == .over
        let lookout = present.pointee.cycleLookout
        let steps = present.pointee.steps
        // The last interval lasts to the step limit.
        let isOver =
            isAtEnd
            || present.pointee.cycleSearch == .sometimes && steps >= lookout + lookouts.length(after: lookout)
                && steps < present.pointee.rules.maximumSteps - Lookouts.last
        if isOver {
            present.pointee.cycleSearch = .sometimes
            present.pointee.cycle.reset()
            lookOutLater()
        }
        return true
    }

    /// Whether the chooser leads the execution through the same states again without closing a fair cycle, so that
    /// nothing new can follow.
    private func repeatsItself(_ chooser: any Chooser) -> Bool {
        switch chooser.plan {
        case .none, .followed, .led: false
        case .over: present.pointee.cycle.repeats(after: present.pointee.current)
        // A fair cycle need not visit a state more often than there are threads: each further visit is needed only if a
        // thread takes a step before it that fairness demands and that no earlier round of the cycle contains.
        case .shortest:
            state.weakMemory == nil
                ? present.pointee.cycle.visits(isWhole: present.pointee.cycleSearch == .always) > state.threadCount + 1
                : present.pointee.cycle.repeatsUselessly(present.pointee.rules.fairness)
        }
    }

    /// The verdict on an execution that could follow this fair cycle forever.
    private func verdict(of cycle: FairCycle.Cycle, _ program: ProgramView) -> Verdict {
        let threads = 0..<state.threadCount
        guard !program.isUnfulfilled(), threads.contains(where: { present.pointee.cycle.makesProgress($0, in: cycle) })
        else { return .endless }
        let starving = threads.filter {
            program.makesProgress($0) && !present.pointee.cycle.makesProgress($0, in: cycle)
        }
        present.pointee.starving = starving
        return starving.isEmpty ? .forever : .starvation
    }

    /// The thread has made progress: it has done what it loops for.
    package func noteProgress(of thread: Int) {
        if present.pointee.steps > present.pointee.cycleLookout { present.pointee.cycle.noteProgress(of: thread) }
    }

    /// The number of steps in the last execution's cycle. Valid only if it ended in one.
    package var cycleLength: Int { present.pointee.cycleLength }

    /// The threads that take steps in the last execution's cycle, in order of their numbers.
    package var cyclingThreads: [Int] { present.pointee.cycling }

    /// The threads that make no progress in the last execution's cycle, in order. Valid only if its verdict is
    /// starvation.
    package var starvingThreads: [Int] { present.pointee.starving }
}
