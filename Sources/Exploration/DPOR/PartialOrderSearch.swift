import Machine

/// Dynamic partial-order reduction: tries one execution of each Mazurkiewicz trace, that is, of each class of
/// executions that differ only in the order of independent steps. It uses sleep sets and wakeup trees (Abdulla, Aronis,
/// Jonsson and Sagonas: Optimal dynamic partial order reduction, POPL 2014; Source sets, JACM 2017).
///
/// When nothing is left to try, every finding that is possible within the subject's rules has been seen. No execution
/// is begun that turns out to be equivalent to an earlier one, apart from the exceptions listed in `docs/proofs.md`.
///
/// `MachineState+Footprint` defines dependence, and `Trail` defines happens-before.
package final class PartialOrderSearch: Strategy {
    /// The search's data, behind a pointer, because a class's variables are checked for exclusive access at each use.
    /// Methods that change nothing are `mutating` too, unless they are inlined: calling a nonmutating method would copy
    /// everything.
    struct Memory: ~Copyable {
        var trail = Trail()
        var nodes = Pile<Node>()
        var threads = NodeThreadTable()
        var sleepers = Pile<SleepingAccess>()
        var trees = WakeupTrees()
        /// The tree of the next node: what is to be tried there.
        var nextTree: Int32 = -1
        /// The number of chosen steps of this execution.
        var position = 0
        /// Whether the step at `position` − 1 is new, and its effects are not yet recorded.
        var isFresh = false
        /// Whether the step just chosen has several alternatives, so that the driver asks for one of them next.
        var wayIsDue = false
        /// The number of threads before the step just chosen.
        var threadCount = 0
        /// Before a signal or broadcast: the threads that wait on any condition.
        var waiting = Pile<UInt16>()
        /// The index in `sleepers` of the next node's first entry.
        var nextFirstSleeper: Int32 = 0
        /// The thread whose step is taken again with the alternative `retriedWay`, or one of the values below.
        var retried = Memory.retriesNothing
        var retriedWay: Int32 = 0
        /// The step's `TakenStep.endsPlan`.
        var retriedEndsPlan = false
        /// Values of `retried`: no step is taken again, or one that no thread takes.
        @inline(__always) static var retriesNothing: Int32 { -1 }
        @inline(__always) static var retriesNoThread: Int32 { -2 }
        /// Whether this execution was given up because everything that it can reach is known.
        var isRedundant = false
        /// Whether threads could have continued when the execution ended.
        var isCutOff = false
        /// If a cycle of waiting threads ended the execution: for each of these threads, the step that put it into the
        /// cycle.
        var closers = Pile<Int32>()
        /// Whether a cycle has ended some execution. Until then no sleeping thread's step can close one, because all
        /// executions that begin with the step have been tried.
        var hasClosedCycles = false
        /// Memory for `MachineState.closesCycle`.
        var scratch = PackedState()
        /// The first step of this execution that the one before did not have.
        var firstNew = 0
        /// The first step whose races with earlier ones have not been found yet.
        var firstToReverse = 0
        /// Whether some execution had a step that depends on the end of another thread but does not wait for it. Which
        /// step is that thread's last may depend on an order. So all races of an execution are then looked at, not only
        /// those of its new steps: what must come before the later step may be different from before.
        var asksForEnds = false
        /// The depths at which the subject keeps its state, in ascending order.
        var kept = Pile<Int32>()
        /// The sequence to try when a race is reversed.
        var sequence = StepSequence()
        /// Steps from this one on are not part of `sequence`.
        var sequenceEnd = 0
        /// By thread: its first step that is left out of `sequence`.
        var leftOut = Pile<Int32>()
        /// By thread: its read holds of the lock whose readers are being reversed.
        var readers = Pile<Reader>()
        /// The threads of which a step has been met while going back through earlier steps.
        var seen = ThreadMarks()
        /// Whether time limits may pass at any moment.
        var mayTimeOut = false
        /// Whether weak compare-exchanges may fail spuriously.
        var mayFailSpuriously = false
        /// Whether a scheduled step turned out not to be possible, so that the search itself is wrong.
        var hasMisjudged = false
        /// Whether the subject of this execution can go back to kept states.
        var keepsStates = false
        /// In a search of one part: the orders in which its steps have to come.
        var watch = OrderWatch(SearchPart())
        /// In a search of one part: the steps that are taken only to get into it.
        var forcedLeaves = ForcedLeaves()
    }

    let memory = Owned(Memory())
    let rules: Rules
    /// The subject of this execution. The caller keeps it alive.
    @exclusivity(unchecked) private unowned(unsafe) var revisitable: (any RevisitableSubject)?

    /// `completeCount`: the number of executions that ran to their end, each of a different class. `redundantCount`:
    /// the number that were given up because all that they could reach is known, or that belong to another part.
    @exclusivity(unchecked) package private(set) var completeCount = 0
    @exclusivity(unchecked) package private(set) var redundantCount = 0
    /// Whether something was not explored, such as what follows the step limit.
    @exclusivity(unchecked) package private(set) var isBounded = false
    /// Whether time passed in some execution beside threads that repeated themselves.
    @exclusivity(unchecked) private var passesBesideOthers = false
    /// Whether waits on conditions and weak compare-exchanges share the budget of spurious events. Which of them uses
    /// it up depends on more than the order of dependent steps.
    @exclusivity(unchecked) private var sharesBudget = false
    /// Why the search cannot continue. Nil: it can.
    @exclusivity(unchecked) package private(set) var obstacle: Obstacle?
    /// The number of steps, without those repeated to get back to a node.
    @exclusivity(unchecked) package private(set) var newSteps = 0

    /// - Parameter part: the executions to try; by default, all.
    package init(rules: Rules, part: SearchPart = SearchPart()) {
        self.rules = rules
        memory.pointee.mayTimeOut = rules.timeouts == .any
        memory.pointee.mayFailSpuriously = rules.spuriousWakeups > 0
        memory.pointee.watch = OrderWatch(part)
    }

    // MARK: - A series of executions

    package func prepare(_ number: Int) -> Bool {
        if obstacle != nil { return false }
        if number == 0 || memory.pointee.backtrack() { return true }
        if sharesBudget { obstacle = .sharedBudget }
        return false
    }

    package func execute(_ subject: any Subject) -> Verdict {
        let revisitable = subject.revisitable
        self.revisitable = revisitable
        memory.pointee.keepsStates = revisitable != nil
        memory.pointee.begin()
        let verdict: Verdict
        if let revisitable, let state = memory.pointee.goBack() {
            verdict = revisitable.execute(fromState: state, self)
        } else {
            verdict = subject.execute(self)
        }
        self.revisitable = nil
        let isElsewhere = memory.pointee.isInAnotherPart
        finish(verdict, isElsewhere)
        return isElsewhere ? .stopped : verdict
    }

    private func finish(_ verdict: Verdict, _ isElsewhere: Bool) {
        if obstacle != nil { return }
        newSteps += memory.pointee.trail.steps.count - memory.pointee.firstNew
        if memory.pointee.isRedundant || isElsewhere {
            redundantCount += 1
        } else {
            completeCount += 1
            if verdict.isCutOff { isBounded = true }
        }
        memory.pointee.findRaces(isCutOff: verdict.isCutOff)
    }

    // MARK: - Choices

    package func begin() { memory.pointee.position = 0 }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        memory.pointee.makeRoom(for: state)
        if memory.pointee.position < memory.pointee.trail.steps.count {
            let step = memory.pointee.trail.steps[memory.pointee.position]
            guard enabled.contains(step.thread) else { return giveUp() }
            memory.pointee.position += 1
            memory.pointee.wayIsDue = step.ways > 1
            return step.thread
        }
        memory.pointee.noteEffects(in: state)
        memory.pointee.notePassing(of: state.time)
        keep()
        let thread = memory.pointee.choose(enabled, state)
        if memory.pointee.hasMisjudged { obstacle = passesBesideOthers ? .time : .misjudged }
        return thread
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        let position = memory.pointee.position
        if memory.pointee.wayIsDue {
            memory.pointee.wayIsDue = false
            let step = memory.pointee.trail.steps[position - 1]
            guard step.way < count else { return giveUp() }
            return Int(step.way)
        }
        // The driver asks whether a wait ends without a signal. In the trail, this choice is a step of no thread.
        if position < memory.pointee.trail.steps.count {
            guard memory.pointee.trail.steps[position].thread == TakenStep.noThread else { return giveUp() }
        } else {
            memory.pointee.makeRoom(for: state)
            memory.pointee.noteEffects(in: state)
            memory.pointee.notePassing(of: state.time)
            keep()
            memory.pointee.addStepOfNoThread(state)
        }
        memory.pointee.position += 1
        return Int(memory.pointee.trail.steps[position].way)
    }

    /// When time passes beside threads that repeat themselves depends on the order of independent steps. The search
    /// always lets it pass at once and tries no other moment, so it is not complete.
    package func letsTimePass(beside thread: UInt16, state: MachineState) -> Bool? {
        isBounded = true
        passesBesideOthers = true
        return true
    }

    package func end(_ verdict: Verdict, state: MachineState) {
        if obstacle != nil { return }
        if rules.spuriousWakeups > 0 && state.traits.isSuperset(of: [.waits, .weakUpdates]) { sharesBudget = true }
        memory.pointee.makeRoom(for: state)
        memory.pointee.noteEffects(in: state)
        memory.pointee.isCutOff =
            !memory.pointee.isRedundant && (0..<state.threadCount).contains { state.isEnabled($0) }
        if !memory.pointee.isRedundant && !memory.pointee.trail.steps.isEmpty {
            noteCulprits(verdict, state)
        }
        if verdict.isCutOff { return }
        memory.pointee.findRacesOfPending(state)
        if let inspection = memory.pointee.trail.inspection, inspection < memory.pointee.trail.steps.count - 1 {
            memory.pointee.putBefore(inspection: inspection, state)
        }
    }

    /// Records which steps were necessary for the run's end, if it ended early.
    private func noteCulprits(_ verdict: Verdict, _ state: MachineState) {
        let last = memory.pointee.trail.steps[memory.pointee.trail.steps.count - 1]
        if last.thread == TakenStep.noThread { return }
        switch verdict {
        // No particular step ended the run, as in a deadlock.
        case .livelock where state.spinsForever: break
        case .assertion, .claim, .brokenClaim, .misuse, .error, .livelock, .crash, .hang:
            memory.pointee.trail.endRun(becauseOf: Int(last.thread))
        case .deadlock where rules.endsAtCycles:
            // A thread without which a cycle would exist too was not needed.
            for thread in 0..<state.threadCount where state.isInCycle(thread) && !state.hasCycle(without: thread) {
                memory.pointee.noteCloser(thread, state)
            }
        case .deadlock, .completed, .leak, .race, .stepLimit, .endless, .starvation, .forever, .foreignThread, .stopped:
            break
        }
    }

    /// The subject behaved differently than in an earlier execution with the same choices.
    private func giveUp<T>() -> T? {
        obstacle = passesBesideOthers ? .time : .diverged(choice: memory.pointee.position + 1)
        return nil
    }

    /// The number of steps before the step limit in which the driver looks for a cycle.
    private static let stepsOfCycleSearch = 128

    /// Lets the subject keep the present state, if the search may go back to it.
    private func keep() {
        // Not shortly before the step limit, where the driver looks for a cycle: an execution that continued from a
        // kept state would see only a part of the cycle, and reach another verdict than one that follows the schedule
        // from the beginning.
        if memory.pointee.trail.steps.count > rules.maximumSteps - Self.stepsOfCycleSearch { return }
        // Tests the subject last, because using it counts a reference.
        if memory.pointee.keepsStates, let number = memory.pointee.numberToKeep { revisitable?.keepState(number) }
    }
}
