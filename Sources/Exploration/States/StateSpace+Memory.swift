import Machine

/// Takes steps from memory (`StepMemory`) instead of on the machine, if the machine has taken the same step before in a
/// state that differs only in things on which the step does not depend. Debug builds compare the result with the
/// machine's.
///
/// A step's effect on its own thread and on shared words depends on both of these, and on what other threads hold of
/// the step's lock. Its effect on another thread depends on that thread and on the step's `Influence`. Whether it ends
/// the execution, or time must pass after it, follows from the standings of all threads. If that is not certain, the
/// machine takes the step.
extension StateSpace {
    @inline(__always)
    private func standing(_ row: UnsafeMutablePointer<UInt32>, _ thread: Int) -> UnsafePointer<Standing> {
        UnsafePointer(tables.pointee.standings.base + Int(row[thread + 1]))
    }

    /// The key of one alternative of the thread's step in the present state.
    @inline(__always) private func key(_ thread: Int, way: Int) -> StepMemory.Key {
        let own = standing(present.base, thread).pointee
        // The locks that other threads hold as readers.
        let readers = (heldToRead & ~own.heldToRead) | heldTwice
        return StepMemory.Key(
            present.base[0], present.base[thread + 1], thread: roles.base[thread],
            taken: (byOwner: held & ~own.held & own.lock != 0, byReaders: readers & own.lock != 0), way: way)
    }

    // MARK: - In the present state

    /// Whether the thread can step in the present state.
    @inline(__always) func canStep(_ thread: Int) -> Bool {
        let own = standing(present.base, thread)
        switch own.pointee.readiness {
        case .always: return true
        case .never: return mayWake && own.pointee.leavesEarly
        case .free: return held & own.pointee.lock == 0
        case .ended:
            switch standing(present.base, Int(own.pointee.target)).pointee.life {
            case .none: return isEnabledOnMachine(thread)
            case .alive: return false
            case .ended, .settled: return true
            }
        case .shared:
            let key = key(thread, way: 0)
            if let step = tables.pointee.steps.find(key) { return step.pointee.ways != 0 }
            if isEnabledOnMachine(thread) { return true }
            tables.pointee.steps.add(StepMemory.Entry(key))
            return false
        case .unclear: return isEnabledOnMachine(thread)
        }
    }

    /// Whether all that the thread can do is to leave its wait without a signal.
    @inline(__always) func leavesEarly(_ thread: Int) -> Bool { standing(present.base, thread).pointee.leavesEarly }

    @inline(never) private func isEnabledOnMachine(_ thread: Int) -> Bool {
        loadNow()
        return machine.isEnabled(thread)
    }

    /// The known effect of the thread's step. Nil: not known.
    @inline(__always) func knownStep(of thread: Int, way: Int) -> UnsafePointer<StepMemory.Entry>? {
        isMemorable(thread) ? tables.pointee.steps.find(key(thread, way: way)) : nil
    }

    /// Whether the thread's step depends only on what its key contains.
    @inline(__always) private func isMemorable(_ thread: Int) -> Bool {
        let own = standing(present.base, thread)
        if !remembers || !own.pointee.isMemorable { return false }
        guard case .ended = own.pointee.readiness else { return true }
        guard case .ended = standing(present.base, Int(own.pointee.target)).pointee.life else { return false }
        return true
    }

    /// Writes the state after a remembered step of the thread into the next row. False: the machine has to take the
    /// step.
    @inline(__always) func replay(_ step: StepMemory.Entry, _ thread: Int) -> Bool {
        next.base.update(from: present.base, count: width)
        next.base[0] = step.shared
        next.base[thread + 1] = step.own
        if step.influence != 0 && !spread(step.influence, from: thread) { return false }
        if !continues(after: thread) { return false }
        assert(!isCompared || agreesWithMachine(step, thread), "a remembered step does not do what the machine does")
        if step.hasLooped { hasLooped = true }
        if step.hasFoundUnordered { hasFoundUnordered = true }
        return true
    }

    /// Applies the step's effect on other threads. False: it is not known.
    private func spread(_ number: UInt32, from thread: Int) -> Bool {
        let influence = tables.pointee.steps.influence(number)
        if influence.isOnWatchers && !isAnyWatching { return true }
        for other in 0..<threadCount where other != thread && concerns(influence, other) {
            guard let effect = tables.pointee.steps.find(StepMemory.Key(influence: number, on: present.base[other + 1]))
            else {
                return false
            }
            next.base[other + 1] = effect.pointee.own
        }
        return !influence.isOnWaiters || areWokenOutsideCycles()
    }

    /// Whether the influence may change the other thread.
    @inline(__always) private func concerns(_ influence: Influence, _ other: Int) -> Bool {
        if influence.isOnWaiters { return standing(present.base, other).pointee.isWaiting }
        if influence.isOnWatchers { return standing(present.base, other).pointee.isWatching }
        return influence.joined == other
    }

    // MARK: - In the next state

    /// Whether the execution certainly continues after the thread's step without time passing: another step is
    /// possible, and no cycle of waiting threads has been closed.
    @inline(__always) private func continues(after thread: Int) -> Bool {
        let before = standing(present.base, thread).pointee.held
        let held = (held & ~before) | standing(next.base, thread).pointee.held
        guard let can = canStepNext(thread, held) else { return false }
        return can || continues(without: thread, held)
    }

    /// Whether the threads that the step woke are certainly not in a cycle of waiting threads. The held locks are those
    /// of the present state, because a signal takes none.
    private func areWokenOutsideCycles() -> Bool {
        (0..<threadCount).allSatisfy { thread in
            if !standing(present.base, thread).pointee.isWaiting || standing(next.base, thread).pointee.isWaiting {
                return true
            }
            return canStepNext(thread, held) == true || isOutsideCycles(thread, held)
        }
    }

    /// What `continues(after:)` returns if the thread, which has stepped, cannot step again.
    private func continues(without thread: Int, _ held: UInt64) -> Bool {
        isOutsideCycles(thread, held) && (0..<threadCount).contains { canStepNext($0, held) == true }
    }

    /// Whether the thread can step in the next state. Nil: unknown.
    @inline(__always) private func canStepNext(_ thread: Int, _ held: UInt64) -> Bool? {
        let own = standing(next.base, thread)
        switch own.pointee.readiness {
        case .always: return true
        case .never: return own.pointee.leavesEarly && allowsSpurious && budget(next.base) > 0
        case .free: return held & own.pointee.lock == 0
        case .ended:
            switch standing(next.base, Int(own.pointee.target)).pointee.life {
            case .none: return nil
            case .alive: return false
            case .ended, .settled: return true
            }
        case .shared: return knownToStepNext(thread)
        case .unclear: return nil
        }
    }

    /// Whether the thread can step in the next state, if its step there is remembered. Nil: it is not.
    private func knownToStepNext(_ thread: Int) -> Bool? {
        let lock = standing(next.base, thread).pointee.lock
        var taken = (byOwner: false, byReaders: false)
        for other in 0..<threadCount where lock != 0 && other != thread {
            if standing(next.base, other).pointee.held & lock != 0 { taken.byOwner = true }
            if standing(next.base, other).pointee.heldToRead & lock != 0 { taken.byReaders = true }
        }
        let key = StepMemory.Key(next.base[0], next.base[thread + 1], thread: roles.base[thread], taken: taken, way: 0)
        return tables.pointee.steps.find(key).map { $0.pointee.ways != 0 }
    }

    /// Whether the thread, which cannot step, is certainly not in a cycle of waiting threads.
    private func isOutsideCycles(_ thread: Int, _ held: UInt64) -> Bool {
        var here = thread
        for _ in 0..<threadCount {
            let own = standing(next.base, here).pointee
            switch own.readiness {
            case .always, .never: return true
            // A thread that waits for something other than a lock waits for no particular thread.
            case .shared where own.lock == 0: return true
            case .shared, .unclear: return false
            case .free:
                guard
                    let owner = (0..<threadCount).first(where: { standing(next.base, $0).pointee.held & own.lock != 0 })
                else { return true }
                here = owner
            case .ended: here = Int(own.target)
            }
            if here == thread { return false }
            if canStepNext(here, held) == true { return true }
        }
        return false
    }

    // MARK: - Learning

    /// Whether debug builds compare the next move with the machine: all of the first ones, then a sample, so that large
    /// searches remain possible in tests.
    var isCompared: Bool { moveCount < 20_000 || moveCount % 16 == 0 }

    /// Remembers the step that the machine has taken from the present state into the next row.
    func remember(_ thread: Int, _ way: Int, of ways: Int) {
        let influence = subject.influence
        guard isMemorable(thread), subject.verdict == nil, machine.time == 0, influence != .unclear,
            ways <= StepMemory.mostWays
        else { return }
        var step = StepMemory.Entry(key(thread, way: way))
        step.shared = next.base[0]
        step.own = next.base[thread + 1]
        step.influence = tables.pointee.steps.number(of: influence)
        step.ways = UInt16(ways)
        step.hasLooped = subject.hasLooped(thread)
        step.isProgress = subject.hasProgressed(thread)
        (step.isFork, step.isDue) = (isBranch, isDue)
        step.hasFoundUnordered = subject.hasFoundUnordered
        tables.pointee.steps.add(step)
        for other in 0..<threadCount where other != thread && concerns(influence, other) {
            var effect = StepMemory.Entry(.init(influence: step.influence, on: present.base[other + 1]))
            effect.own = next.base[other + 1]
            tables.pointee.steps.add(effect)
        }
    }

    /// Whether the machine takes the step in the same way, and everything that was remembered of it is right. For debug
    /// builds.
    private func agreesWithMachine(_ step: StepMemory.Entry, _ thread: Int) -> Bool {
        loadNow()
        let found = (0..<width).map { next[$0] }
        let way = Int(step.key.way)
        if Int(step.ways) != machine.alternatives(of: thread) || step.isDue != machine.isDue(thread)
            || step.isFork != (step.ways > 1 && machine.isFork(thread))
        {
            return false
        }
        subject.take(thread, way: way)
        defer { goBack() }
        if subject.verdict != nil || machine.time != 0 { return false }
        if subject.hasLooped(thread) != step.hasLooped || subject.hasProgressed(thread) != step.isProgress
            || subject.hasFoundUnordered != step.hasFoundUnordered
        {
            return false
        }
        encode(changed: nil)
        return found == (0..<width).map { next[$0] }
    }
}
