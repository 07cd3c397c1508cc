/// Drives executions: asks the chooser which thread steps, takes the step, lets time pass when nothing else can happen,
/// finds cycles, records the schedule, and reports how an execution ended. The driver's owner runs the code between two
/// steps: on fibers, or in an interpreter.
///
/// Its variables are behind a pointer, because a class's variables are checked for exclusive access at each use. Not
/// thread-safe.
package final class Driver {
    private let machine = OwnedMachineState()
    package let state: MachineState

    /// The driver's variables.
    struct Present: ~Copyable {
        var verdict: Verdict?
        /// The thread that took the last step.
        var current = 0
        /// When a thread has been chosen: the one that took the step before.
        var last = 0
        var steps = 0
        /// The number of threads in the list of enabled ones.
        var enabledCount = 0
        /// Whether that list is up to date.
        var isListFresh = false
        /// Whether the last step left the list up to date, except perhaps for the stepping thread, because the step
        /// enabled and disabled no other thread.
        var keepsList = false
        /// Whether the last step woke threads. These now wait for their mutex, which may close a cycle of waiting
        /// threads to which the stepping thread does not belong.
        var wakes = false
        /// See `Driver.restoredSteps`.
        var restoredSteps = 0
        var log: ChoiceLog
        var rules: Rules
        var observers = ObserverList()
        /// What the observer of data races has seen, if there is one.
        var races: UnsafeMutablePointer<RaceClocks>?
        /// The graph of the execution, if the rules have a weaker memory model.
        var weakMemory: WeakMemory?
        /// The list of observers, without reference counting. Nil: there is none, or only that of data races.
        var watching: Unmanaged<ObserverList>?
        /// Kept states, by number.
        var kept: [Kept] = []
        /// From this step on, the driver examines whole states (`Driver.lookOut`): for a cycle, or to see whether time
        /// passes.
        var lookout = Int.max
        /// From this step on, the driver looks for a cycle of states.
        var cycleLookout = Int.max
        /// Whether a thread may wait for time beside others that repeat themselves.
        var watchesClock = false
        var clock = ClockWatch()
        var cycleSearch = CycleSearch.sometimes
        var cycle = FairCycle()
        var cycleLength = 0
        /// See `Driver.program`.
        var program: ProgramView?
        /// The threads that step in the cycle in which the execution ended, and those that starve in it.
        var cycling: [Int] = []
        var starving: [Int] = []
    }

    let present: Owned<Present>
    /// The list of enabled threads, of which `Present.enabledCount` are valid.
    let enabled = OwnedBuffer<UInt16>(capacity: MachineState.maximumThreads)
    private let showsClock: Bool
    private let check = IndependenceCheck()

    /// - Parameters:
    ///   - log: receives the choices, if another process needs to see them.
    ///   - showsClock: whether the program can read the clock.
    package init(rules: Rules, log: ChoiceMemory? = nil, showsClock: Bool) {
        state = machine.state
        present = Owned(Present(log: ChoiceLog(log), rules: rules))
        self.showsClock = showsClock
        followRules()
    }

    /// How the execution ended. Nil: it continues.
    package var verdict: Verdict? {
        @inline(always) get { present.pointee.verdict }
    }

    /// The thread that took the last step.
    package var current: Int {
        @inline(always) get { present.pointee.current }
        @inline(always) set { present.pointee.current = newValue }
    }

    package var stepCount: Int { present.pointee.steps }
    /// The number of the execution's steps that were not taken, but restored with a kept state.
    package var restoredSteps: Int { present.pointee.restoredSteps }
    package var schedule: Schedule { present.pointee.log.memory.schedule }

    /// The rules of executions, from the next one on.
    package var rules: Rules {
        get { present.pointee.rules }
        set {
            present.pointee.rules = newValue
            followRules()
        }
    }

    /// The observers of executions, from the next one on.
    package var observers: [any Observer] {
        get { present.pointee.observers.all }
        set {
            let list = ObserverList(newValue)
            present.pointee.observers = list
            present.pointee.races = list.races?.clocks
            present.pointee.watching = list.hasOthers ? .passUnretained(list) : nil
        }
    }

    /// Called when the rules have been set: makes or removes the execution graph, as the rules' memory model demands,
    /// and lowers the step limit to what the model allows.
    private func followRules() {
        let model = present.pointee.rules.followedModel
        present.pointee.rules.limitSteps()
        if model != (present.pointee.weakMemory?.model ?? .sc) {
            present.pointee.weakMemory = model == .sc ? nil : WeakMemory(model)
            state.header.pointee.weakMemory = present.pointee.weakMemory.map { .passUnretained($0) }
        }
        present.pointee.weakMemory?.isJudgedOnTheWay = present.pointee.program?.judgesOnTheWay ?? false
    }

    /// Whether the execution can go back to a kept state: all observers can, and the driver does not need to know which
    /// states came before.
    package var canGoBack: Bool {
        present.pointee.observers.canGoBack && !mayPassTimeBesideOthers && present.pointee.weakMemory == nil
    }

    /// Whether a thread may wait for time beside others that repeat themselves.
    package var mayPassTimeBesideOthers: Bool {
        present.pointee.rules.timeouts == .lazy && present.pointee.program?.waitsBesideLoops ?? false
    }

    /// The code between the steps. Without it no cycle of states can be found.
    package var program: ProgramView? {
        get { present.pointee.program }
        set {
            present.pointee.program = newValue
            seeProgram()
            present.pointee.weakMemory?.isJudgedOnTheWay = newValue?.judgesOnTheWay ?? false
        }
    }

    // MARK: - One execution

    /// Begins an execution, with no thread and no object yet.
    package func begin() {
        state.reset(present.pointee.rules, showsClock: showsClock)
        present.pointee.weakMemory?.reset()
        present.pointee.wakes = false
        present.pointee.verdict = nil
        present.pointee.current = 0
        present.pointee.steps = 0
        present.pointee.restoredSteps = 0
        present.pointee.isListFresh = false
        present.pointee.keepsList = false
        present.pointee.log.memory.reset()
        present.pointee.observers.begin()
        beginCycleSearch(.sometimes)
    }

    /// The chooser begins to decide.
    package func begin(_ chooser: any Chooser) {
        chooser.begin()
        beginCycleSearch(chooser.cycleSearch)
    }

    /// The running thread has changed the machine outside a step, so other threads may have been enabled or disabled.
    package func noteUnseenStep() {
        present.pointee.isListFresh = false
        present.pointee.keepsList = false
    }

    /// Something other than the driver has ended the execution. The first verdict counts.
    package func finish(_ verdict: Verdict) {
        if present.pointee.verdict == nil { present.pointee.verdict = verdict }
    }

    /// A thread outside the scheduler's control took part in the execution. This overrides any other verdict.
    package func disown() { present.pointee.verdict = .foreignThread }

    /// The verdict is final: notifies the observers and the chooser.
    package func announceEnd(to chooser: any Chooser) {
        guard let verdict = present.pointee.verdict else { preconditionFailure("the execution has not ended") }
        present.pointee.log.isOver = true
        present.pointee.observers.end(verdict, state)
        chooser.end(verdict, state: state)
        present.pointee.log.isOver = false
    }

    /// Notes that no code of the program runs until the next execution begins.
    package func leave() { present.pointee.log.isOver = true }

    /// The verdict if nothing has gone wrong.
    package var completion: Verdict {
        let leaks = (0..<state.threadCount).contains { thread in
            thread != 0 && !state.thread(thread).isJoined && !state.thread(thread).isDetached
        }
        return leaks || state.hasReferencedObject ? .leak : .completed
    }

    // MARK: - One step

    /// Lets the chooser pick the next thread, and takes its step. Nil: the execution has ended; see `verdict`.
    @inline(always) package func step(_ chooser: any Chooser) -> (thread: Int, result: StepResult)? {
        guard let thread = next(chooser), let result = take(thread, chooser) else { return nil }
        return (thread, result)
    }

    /// The thread that steps next. Nil: the execution has ended; see `verdict`.
    @inline(always) package func next(_ chooser: any Chooser) -> Int? {
        assert(check.choose(state))
        let current = present.pointee.current
        var count = present.pointee.enabledCount
        if present.pointee.keepsList && state.canSurelyContinue(current) {
            assert(
                !check.isDue || count == state.enabledThreads(into: enabled.base),
                "a step enables or disables a thread")
        } else {
            count = state.enabledThreads(into: enabled.base)
            if present.pointee.wakes || state.mayBeStuck(current, enabled: count) {
                guard let newCount = lookCloser(enabled: count, chooser) else { return nil }
                count = newCount
            }
            present.pointee.enabledCount = count
        }
        present.pointee.isListFresh = true
        if present.pointee.steps >= present.pointee.lookout {
            guard let newCount = lookOut(enabled: count, chooser) else { return nil }
            count = newCount
        }
        let list = UnsafeBufferPointer(start: enabled.base, count: count)
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
    @inline(always) package func take(_ thread: Int, _ chooser: any Chooser) -> StepResult? {
        var way = 0
        let ways = state.alternatives(of: thread)
        if ways > 1 {
            guard let chosen = chooseAlternative(ways, of: thread, chooser) else { return nil }
            way = chosen
            if present.pointee.steps > present.pointee.cycleLookout && state.isFork(thread) {
                present.pointee.cycle.noteBranch()
            }
        }
        assert(check.begin(thread, state))
        let result = takeFrequent(thread) ?? takeAny(thread, way)
        assert(check.end(thread, state), "a step enables or disables another that does not depend on it")
        if present.pointee.steps > present.pointee.lookout { noteStep(of: thread) }
        return result
    }

    /// A fast path for the usual acts of the most frequent operations. With the kind and the act constant, the compiler
    /// reduces rule, observers and effect to one branch instead of several unpredictable ones. Nil: the step is another
    /// one, and was not taken.
    @inline(always) private func takeFrequent(_ thread: Int) -> StepResult? {
        let operation = state.operation(of: thread)
        let wasFresh = present.pointee.isListFresh
        present.pointee.isListFresh = false
        present.pointee.keepsList = false
        present.pointee.wakes = false
        if operation.kind == .lock { return take(operation, .lock, .take, thread) }
        if operation.kind == .unlock { return take(operation, .unlock, .release, thread) }
        if operation.kind == .read {
            present.pointee.keepsList = wasFresh && state.isUnwatched
            return take(operation, .read, .read, thread)
        }
        if operation.kind == .write {
            present.pointee.keepsList = wasFresh && state.isUnwatched
            return take(operation, .write, .write, thread)
        }
        return operation.kind == .start ? take(operation, .start, .start, thread) : nil
    }

    /// Takes an operation of a known kind that has no alternatives and is not partly done, if its act is `act`. Nil:
    /// its act is another one, and it was not taken.
    @inline(always)
    private func take(_ announced: Operation, _ kind: Operation.Kind, _ act: Act, _ thread: Int) -> StepResult? {
        let operation = Operation(kind, announced.object, announced.a, announced.b, orders: announced.orders)
        let found = Rule.announced(operation, isQueued: false, of: thread, in: state)
        if found.act != act { return nil }
        let ruling = Ruling(act, found.value, word: found.word)
        observe(thread, 0, operation, ruling)
        return state.take(ruling, operation, thread, 0)
    }

    @inline(never) private func takeAny(_ thread: Int, _ way: Int) -> StepResult {
        let operation = state.operation(of: thread)
        if let memory = state.weakMemory, state.isWeak(thread) {
            let ruling = memory.take(thread, operation, way: way, state)
            observe(thread, way, operation, ruling)
            // The ruling already contains the chosen alternative, so none is left to choose.
            return state.take(ruling, thread, 0)
        }
        let ruling = state.ruling(on: thread, alternative: way)
        observe(thread, way, operation, ruling)
        present.pointee.wakes = ruling.act.wakesThreads
        return state.take(ruling, thread, way)
    }

    @inline(always) private func observe(_ thread: Int, _ way: Int, _ operation: Operation, _ ruling: Ruling) {
        assert(!ruling.isBlocked, "a blocked step is taken")
        if present.pointee.weakMemory != nil {
            followGraph(thread, operation, ruling)
        } else if let races = present.pointee.races, state.hasCells {
            races.pointee.follow(ruling.act, operation, thread, last: present.pointee.last, state)
        }
        if present.pointee.watching != nil { notify(thread, way, ruling) }
        present.pointee.current = thread
    }

    /// Adds the step to the execution graph, which also finds races. A step on an atomic is in the graph already.
    @inline(never) private func followGraph(_ thread: Int, _ operation: Operation, _ ruling: Ruling) {
        guard let memory = present.pointee.weakMemory, !operation.kind.isOnAtomic else { return }
        guard let other = memory.follow(ruling.act, operation, thread, state), let races = present.pointee.races else {
            return
        }
        races.pointee.add(
            DataRace(
                cell: state.identity(of: operation.object), earlier: other.thread, later: thread,
                earlierWrites: memory.graph.event(other).pointee.kind == .write, laterWrites: ruling.act == .write))
    }

    /// Notifies the observers other than the one of data races.
    @inline(never) private func notify(_ thread: Int, _ way: Int, _ ruling: Ruling) {
        guard let watching = present.pointee.watching else { return }
        let step = NextStep(thread: thread, last: present.pointee.last, way: way, ruling: ruling, state: state)
        watching._withUnsafeGuaranteedRef { $0.willTake(step) }
    }

    /// Ends the execution if the last step closed a cycle of waiting threads, and lets time pass if nothing else can
    /// happen. Returns the number of threads that can step, or nil if the execution has ended.
    @inline(never) private func lookCloser(enabled count: Int, _ chooser: any Chooser) -> Int? {
        if endsInCycle() { return nil }
        var count = count
        while count == 0 || isQuiet(enabled: count) {
            if count > 0 {
                guard let way = chooseAlternative(2, of: present.pointee.current, chooser) else { return nil }
                // 0 lets time pass, 1 ends a wait spuriously.
                if way == 1 { break }
            }
            guard let awake = passTime() else { return nil }
            count = awake
        }
        return count
    }

    /// Whether the last step has closed a cycle of threads that wait for each other, which ends the execution.
    private func endsInCycle() -> Bool {
        guard present.pointee.rules.endsAtCycles else { return false }
        let isClosed =
            state.isInCycle(present.pointee.current) || (present.pointee.wakes && state.isAnyWakingInCycle)
        guard isClosed else { return false }
        present.pointee.verdict = .deadlock
        return true
    }

    private func isQuiet(enabled count: Int) -> Bool {
        state.isQuiet(UnsafeBufferPointer(start: enabled.base, count: count))
    }

    /// Lets time pass to the next deadline. Returns the number of threads that can step then, or nil if the execution
    /// has ended.
    func passTime() -> Int? {
        present.pointee.clock.reset()
        guard state.passTime() else {
            present.pointee.verdict = state.spinsForever ? .livelock : .deadlock
            return nil
        }
        present.pointee.weakMemory?.noteTime()
        return state.enabledThreads(into: enabled.base)
    }

    // MARK: - From any state

    /// Prepares for continuing from a state that was restored from outside, without a chooser and observers.
    package func resume() {
        present.pointee.verdict = nil
        present.pointee.steps = 0
        present.pointee.isListFresh = false
        present.pointee.keepsList = false
        present.pointee.wakes = false
    }

    /// The thread takes its step with the alternative `way`. Call `settle` once the thread's local code has run.
    @inline(always) package func take(_ thread: Int, way: Int) -> StepResult {
        present.pointee.current = thread
        present.pointee.isListFresh = false
        let ruling = state.ruling(on: thread, alternative: way)
        present.pointee.wakes = ruling.act.wakesThreads
        assert(!ruling.isBlocked, "a blocked step is taken")
        assert(check.begin(thread, state))
        let result = state.take(ruling, thread, way)
        assert(check.end(thread, state), "a step enables or disables another that does not depend on it")
        return result
    }

    /// Completes a step: finds out whether the execution has ended, and lets time pass if nothing else can happen.
    package func settle() {
        if present.pointee.verdict != nil { return }
        var count = state.enabledThreads(into: enabled.base)
        present.pointee.keepsList = false
        guard present.pointee.wakes || state.mayBeStuck(present.pointee.current, enabled: count), !endsInCycle() else {
            return
        }
        while count == 0 {
            guard let awake = passTime() else { return }
            count = awake
        }
    }

    /// Lets time pass although threads can step, because they could only end waits without a signal or only repeat
    /// themselves (`ClockWatch`).
    package func passTimeNow() {
        if passTime() != nil { settle() }
    }

    /// Asks the chooser for an alternative, and logs it. Nil: its plan cannot be followed, and the execution has ended.
    private func chooseAlternative(_ ways: Int, of thread: Int, _ chooser: any Chooser) -> Int? {
        guard let way = chooser.chooseAlternative(ways, of: UInt16(truncatingIfNeeded: thread), state: state) else {
            present.pointee.verdict = .stopped
            return nil
        }
        present.pointee.log.append(.alternative(way))
        return way
    }

    /// The threads that could not continue when the execution ended; see `MachineState.stuckThreads`.
    package var stuckThreads: UnsafeBufferPointer<UInt16> {
        UnsafeBufferPointer(start: enabled.base, count: state.stuckThreads(into: enabled.base))
    }
}
