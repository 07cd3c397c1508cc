/// Drives executions: asks the chooser which thread steps, lets time pass when nothing else can happen, finds cycles of
/// threads, takes steps, records the schedule, and reports how an execution ended. Its owner runs the code between two
/// steps: on fibers, or in an interpreter.
///
/// A class that keeps its variables behind a pointer, because variables of a class are checked for exclusive access at
/// each use. Not thread-safe.
package final class Driver {
    private let machine = OwnedMachineState()
    package let state: MachineState

    /// The variables that change at every step.
    struct Present: ~Copyable {
        var verdict: Verdict?
        var current = 0
        /// The thread that stepped before the one chosen last.
        var last = 0
        var steps = 0
        /// The number of steps that were not taken, but restored with a kept state.
        var restoredSteps = 0
        var log: ChoiceLog
        var rules: Rules
        var observers = ObserverList()
        /// The observers, without reference counting, if there are any.
        var watching: Unmanaged<ObserverList>?
        /// Kept states, by number.
        var kept: [Kept] = []
        /// From this step on, the driver looks for a cycle.
        var lookout = Int.max
        var cycleSearch = CycleSearch.sometimes
        var cycle = FairCycle()
        var cycleLength = 0
        /// See `Driver.programState`.
        var programState: (() -> UInt64)?
    }

    let present: Owned<Present>
    private let enabled = OwnedBuffer<UInt16>(capacity: MachineState.maximumThreads)
    private let showsClock: Bool
    private let check = IndependenceCheck()

    /// - Parameters:
    ///   - log: receives the choices, if another process needs to see them.
    ///   - showsClock: whether the program can read the clock.
    package init(rules: Rules, log: ChoiceMemory? = nil, showsClock: Bool) {
        state = machine.state
        present = Owned(Present(log: ChoiceLog(log), rules: rules))
        self.showsClock = showsClock
    }

    /// How the execution ended. Nil: it continues.
    package var verdict: Verdict? {
        @inline(__always) get { present.pointee.verdict }
    }

    /// The thread that took the last step.
    package var current: Int {
        @inline(__always) get { present.pointee.current }
        @inline(__always) set { present.pointee.current = newValue }
    }

    package var stepCount: Int { present.pointee.steps }
    /// The number of the execution's steps that were not taken, but restored with a kept state.
    package var restoredSteps: Int { present.pointee.restoredSteps }
    package var schedule: Schedule { present.pointee.log.memory.schedule }

    /// The rules of executions, from the next one on.
    package var rules: Rules {
        get { present.pointee.rules }
        set { present.pointee.rules = newValue }
    }

    /// The observers of executions, from the next one on.
    package var observers: [any Observer] {
        get { present.pointee.observers.all }
        set {
            let list = ObserverList(newValue)
            present.pointee.observers = list
            present.pointee.watching = newValue.isEmpty ? nil : .passUnretained(list)
        }
    }

    /// Whether all observers can go back too.
    package var canGoBack: Bool { present.pointee.observers.canGoBack }

    /// A hash of the state of the code between the steps. Without it no cycle can be found.
    package var programState: (() -> UInt64)? {
        get { present.pointee.programState }
        set { present.pointee.programState = newValue }
    }

    // MARK: - One execution

    /// Begins an execution, with no thread and no object yet.
    package func begin() {
        state.reset(present.pointee.rules, showsClock: showsClock)
        present.pointee.verdict = nil
        present.pointee.current = 0
        present.pointee.steps = 0
        present.pointee.restoredSteps = 0
        present.pointee.log.memory.reset()
        present.pointee.observers.begin()
        beginCycleSearch(.sometimes)
    }

    /// The chooser begins to decide.
    package func begin(_ chooser: any Chooser) {
        chooser.begin()
        beginCycleSearch(chooser.cycleSearch)
    }

    /// Something other than the driver has ended the execution. The first verdict counts.
    package func finish(_ verdict: Verdict) {
        if present.pointee.verdict == nil { present.pointee.verdict = verdict }
    }

    /// The verdict is final: notifies the observers and the chooser.
    package func announceEnd(to chooser: any Chooser) {
        guard let verdict = present.pointee.verdict else { preconditionFailure("the execution has not ended") }
        present.pointee.observers.end(verdict, state)
        chooser.end(verdict, state: state)
    }

    /// The verdict if nothing has gone wrong.
    package var completion: Verdict {
        let leaks = (0..<state.threadCount).contains { thread in
            thread != 0 && !state.thread(thread).isJoined && !state.thread(thread).isDetached
        }
        return leaks || state.hasReferencedObject ? .leak : .completed
    }

    // MARK: - One step

    /// The thread that steps next. Nil: the execution has ended; see `verdict`.
    @inline(__always) package func next(_ chooser: any Chooser) -> Int? {
        var count = state.enabledThreads(into: enabled.base)
        if state.mayBeStuck(present.pointee.current, enabled: count) {
            guard let rest = lookCloser(enabled: count, chooser) else { return nil }
            count = rest
        }
        let list = UnsafeBufferPointer(start: enabled.base, count: count)
        if present.pointee.steps >= present.pointee.lookout && goesInCycle(list, chooser) { return nil }
        present.pointee.last = present.pointee.current
        let last = UInt16(truncatingIfNeeded: present.pointee.last)
        guard let next = chooser.chooseThread(list, last: last, state: state) else {
            present.pointee.verdict = .stopped
            return nil
        }
        guard present.pointee.steps < present.pointee.rules.maximumSteps else {
            present.pointee.verdict = .stepLimit
            return nil
        }
        present.pointee.steps += 1
        present.pointee.log.append(.thread(next))
        return Int(next)
    }

    /// The chosen thread takes its step. Nil: the chooser's plan could not be followed, and the execution has ended.
    @inline(__always) package func take(_ thread: Int, _ chooser: any Chooser) -> StepResult? {
        var way = 0
        let ways = state.alternatives(of: thread)
        if ways > 1 {
            guard let chosen = chooseAlternative(ways, of: thread, chooser) else { return nil }
            way = chosen
        }
        let ruling = state.ruling(on: thread)
        assert(!ruling.isBlocked, "a blocked step is taken")
        if let watching = present.pointee.watching {
            let last = present.pointee.last
            let step = NextStep(thread: thread, last: last, way: way, ruling: ruling, state: state)
            watching._withUnsafeGuaranteedRef { $0.willTake(step) }
        }
        present.pointee.current = thread
        if present.pointee.steps > present.pointee.lookout { present.pointee.cycle.noteStep(of: thread) }
        assert(check.begin(state))
        let result = state.take(ruling, thread, way)
        assert(check.end(thread, ruling, state), "a step enables or disables another that does not depend on it")
        return result
    }

    /// Lets time pass if nothing else can happen. Returns the number of threads that can step, or nil if the execution
    /// has ended.
    @inline(never) private func lookCloser(enabled count: Int, _ chooser: any Chooser) -> Int? {
        if present.pointee.rules.endsAtCycles && state.isInCycle(present.pointee.current) {
            present.pointee.verdict = .deadlock
            return nil
        }
        var count = count
        while count == 0 || state.isQuiet(UnsafeBufferPointer(start: enabled.base, count: count)) {
            if count > 0 {
                guard let way = chooseAlternative(2, of: present.pointee.current, chooser) else { return nil }
                if way == 1 { break }
            }
            guard state.passTime() else {
                present.pointee.verdict = state.spinsForever ? .livelock : .deadlock
                return nil
            }
            count = state.enabledThreads(into: enabled.base)
        }
        return count
    }

    /// Nil if the chooser's plan cannot be followed: the execution has ended.
    private func chooseAlternative(_ ways: Int, of thread: Int, _ chooser: any Chooser) -> Int? {
        guard let way = chooser.chooseAlternative(ways, of: UInt16(truncatingIfNeeded: thread), state: state) else {
            present.pointee.verdict = .stopped
            return nil
        }
        present.pointee.log.append(.alternative(way))
        if present.pointee.steps >= present.pointee.lookout { present.pointee.cycle.noteBranch() }
        return way
    }

    /// The threads that could not continue when the execution ended; see `MachineState.stuckThreads`.
    package var stuckThreads: UnsafeBufferPointer<UInt16> {
        UnsafeBufferPointer(start: enabled.base, count: state.stuckThreads(into: enabled.base))
    }
}
