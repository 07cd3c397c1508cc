/// The search for executions that never end.
///
/// Examining the whole state costs more than a step. The driver therefore does so only for a while after 4,096, 16,384,
/// 65,536 … steps, and before it gives up an execution, unless the chooser asks for more.
extension Driver {
    private static let firstLookout = 4096
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

    private func lookOutLater() {
        var next = Self.firstLookout
        while next <= present.pointee.steps { next *= Self.growth }
        let last = present.pointee.rules.maximumSteps - Self.patience
        present.pointee.lookout = present.pointee.steps < last ? min(next, last) : next
    }

    /// Whether the present state closes a cycle that a fair scheduler could follow forever. If so, the execution has
    /// ended.
    @inline(never) func goesInCycle(_ enabled: UnsafeBufferPointer<UInt16>, _ chooser: any Chooser) -> Bool {
        guard let programState = present.pointee.programState else {
            present.pointee.lookout = .max
            return false
        }
        var hash = StateHash()
        state.hash(into: &hash)
        hash.add(Int(truncatingIfNeeded: programState()))
        present.pointee.cycle.add(state, hash: hash.value, enabled: enabled)
        let isAtEnd = present.pointee.cycleSearch == .atPlansEnd && !chooser.hasPlan
        let isDue = present.pointee.cycleSearch != .atPlansEnd || isAtEnd
        if isDue, let length = present.pointee.cycle.length {
            present.pointee.cycleLength = length
            present.pointee.verdict = .endless
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

    /// The number of steps in the last execution's cycle. Valid only if its verdict is that it was endless.
    package var cycleLength: Int { present.pointee.cycleLength }
}
