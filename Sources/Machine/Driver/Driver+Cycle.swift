/// The search for executions that never end.
///
/// Examining the whole state costs more than a step. The driver therefore does so only for a while after 4,096, 16,384,
/// 65,536 … steps, and before it gives up an execution, unless the chooser asks for more. It begins earlier if the program
/// says what its endless executions are to do.
extension Driver {
    private static let firstLookout = 4096
    private static let firstLookoutForProgress = 64
    private static let growth = 4
    /// The number of consecutive steps.
    private static let patience = 128

    func beginCycleSearch(_ search: CycleSearch) {
        present.pointee.cycleSearch = search
        present.pointee.cycle.reset()
        switch search {
        case .sometimes: lookOutLater()
        case .atPlansEnd, .always: present.pointee.lookout = 0
        }
    }

    /// The number of steps of an execution before which the driver does not look for a cycle, unless the chooser asks for
    /// it: so far what happens depends on the state alone. Not positive: there are none.
    package static func stepsBeforeCycleSearch(_ rules: Rules) -> Int {
        min(firstLookout, rules.maximumSteps - patience) - 1
    }

    func lookOutLater() {
        let hasExpectations = present.pointee.program?.hasExpectations ?? false
        var next = hasExpectations ? Self.firstLookoutForProgress : Self.firstLookout
        while next <= present.pointee.steps { next *= Self.growth }
        let last = present.pointee.rules.maximumSteps - Self.patience
        present.pointee.lookout = present.pointee.steps < last ? min(next, last) : next
    }

    /// Whether the present state closes a cycle that a fair scheduler could follow forever. If so, the execution has
    /// ended.
    @inline(never) func goesInCycle(_ enabled: UnsafeBufferPointer<UInt16>, _ chooser: any Chooser) -> Bool {
        guard let program = present.pointee.program else {
            present.pointee.lookout = .max
            return false
        }
        var hash = StateHash()
        state.hash(into: &hash)
        hash.add(Int(truncatingIfNeeded: program.hash()))
        present.pointee.cycle.add(state, hash: hash.value, enabled: enabled)
        let isAtEnd = present.pointee.cycleSearch == .atPlansEnd && chooser.plan == .over
        let isDue = present.pointee.cycleSearch != .atPlansEnd || isAtEnd
        if isDue, let cycle = present.pointee.cycle.cycle(present.pointee.rules.fairness) {
            let verdict = verdict(of: cycle, program)
            if verdict != .forever || present.pointee.cycleSearch != .always || chooser.plan != .followed {
                present.pointee.cycleLength = cycle.length
                present.pointee.verdict = verdict
                return true
            }
        }
        if present.pointee.cycleSearch == .always && repeatsItself(chooser) {
            present.pointee.verdict = .stopped
            return true
        }
        let isOver =
            isAtEnd
            || present.pointee.cycleSearch == .sometimes
                && present.pointee.steps >= present.pointee.lookout + Self.patience
        if isOver {
            present.pointee.cycleSearch = .sometimes
            present.pointee.cycle.reset()
            lookOutLater()
        }
        return false
    }

    /// Whether the chooser leads the execution through the same states, without closing a cycle that is fair.
    private func repeatsItself(_ chooser: any Chooser) -> Bool {
        switch chooser.plan {
        case .none, .followed: false
        case .over: present.pointee.cycle.repeats(after: present.pointee.current)
        // A fair cycle need not pass through a state more often than there are threads, each of which takes a step in
        // between that makes the cycle fairer.
        case .shortest: present.pointee.cycle.visits > state.threadCount + 1
        }
    }

    private func verdict(of cycle: FairCycle.Cycle, _ program: ProgramView) -> Verdict {
        let threads = 0..<state.threadCount
        guard !program.isUnfulfilled(), threads.contains(where: { present.pointee.cycle.makesProgress($0, in: cycle) })
        else { return .endless }
        guard
            let starving = threads.first(where: {
                program.makesProgress($0) && !present.pointee.cycle.makesProgress($0, in: cycle)
            })
        else { return .forever }
        present.pointee.starving = starving
        return .starvation
    }

    /// The thread has done what it loops for.
    package func noteProgress(of thread: Int) {
        if present.pointee.steps > present.pointee.lookout { present.pointee.cycle.noteProgress(of: thread) }
    }

    /// The number of steps in the last execution's cycle. Valid only if it ended in one.
    package var cycleLength: Int { present.pointee.cycleLength }

    /// The thread that makes no progress in the last execution's cycle. Valid only if its verdict is starvation.
    package var starving: Int { present.pointee.starving }
}
