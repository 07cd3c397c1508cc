import Machine

/// Finds threads that need not step in a state, because the next step of another thread is independent of all that they
/// can do before it (persistent sets). The search by states then tries only that step.
extension Engine {
    package func isIndependent(_ thread: Int, of other: Int) -> Bool {
        if state.hasEnded(other) { return true }
        if isJoin(thread, of: other) { return false }
        var own = reach(ofNextStepOf: thread)
        // A budget of spurious wake-ups that is used up no longer makes steps dependent.
        if !state.mayWakeSpuriously { own.subtract(Things.spuriousBudget) }
        return !own.conflicts(with: future(of: other, barrier: barrier(of: thread)))
    }

    /// Whether the thread's next step may be a join with the other thread, which the other thread's end enables.
    private func isJoin(_ thread: Int, of other: Int) -> Bool {
        let operation = state.operation(of: thread)
        return operation.kind == .join && (operation.object != 0 || operation.a == other)
    }

    /// The things that the thread's current operation touches, whatever it finds.
    private func reach(ofNextStepOf thread: Int) -> Reach {
        let things = facts.futures.things
        let state = self.state.thread(thread)
        var reach = reach(of: state.operation)
        if state.status == .waiting { reach.formUnion(Reach(changed: Things.spuriousBudget)) }
        if state.operation.isRenewedLook {
            self.state.forEachWatched(by: thread) { reach.formUnion(Reach(touched: things.bit(of: Int($0)))) }
        }
        return reach
    }

    private func reach(of operation: Operation) -> Reach {
        let things = facts.futures.things
        let object = operation.object == 0 ? 0 : things.bit(of: Int(operation.object))
        guard operation.kind == .wait else {
            return things.withObservation(Things.reach(of: operation.kind, objects: object, mutexes: 0))
        }
        return Reach(changed: object | things.bit(of: operation.a))
    }

    /// The things that a thread may touch from now on, before the resting thread of the barrier steps.
    private func future(of thread: Int, barrier: Futures.Barrier) -> Reach {
        let futures = facts.futures
        let state = self.state.thread(thread)
        let operation = state.operation
        var reach = Reach()
        switch state.status {
        case .ended: return reach
        case .waiting, .waking:
            let condition = futures.things.bit(of: Int(operation.object))
            let mutex = futures.things.bit(of: operation.a)
            // The wait itself can time out, or end without a signal.
            let mayEnd = operation.b != Operation.never || self.state.mayWakeSpuriously
            if state.status == .waiting && mayEnd {
                reach.formUnion(Reach(changed: condition | Things.spuriousBudget))
            }
            if futures.isBarred(.lock, mutex, barrier) { return reach }
        default:
            let object = operation.object == 0 ? 0 : futures.things.bit(of: Int(operation.object))
            if futures.isBarred(operation.kind, object, barrier) { return reach }
            let isJoin = operation.kind == .join && operation.object == 0
            if isJoin && futures.isBarred(joinOf: operation.a, barrier) { return reach }
        }
        reach.formUnion(self.reach(ofNextStepOf: thread))
        reach.formUnion(futureCode(of: thread, barrier))
        if operation.kind == .spawn {
            reach.formUnion(futures.future(from: futures.entry(of: operation.a), barrier))
        }
        for lock in facts.locks where bytecode.objects[lock - 1].kind.isReadWriteLock && owner(of: lock) == thread {
            // A thread that waits as a writer changes the lock when it unlocks.
            reach.formUnion(Reach(changed: futures.things.bit(of: lock)))
        }
        return reach
    }

    /// The things that the thread's code may touch after the current operation.
    private func futureCode(of thread: Int, _ barrier: Futures.Barrier) -> Reach {
        let own = words + regions[thread]
        var next = own[ThreadWords.programCounter]
        var frame = own[ThreadWords.frame]
        var reach = Reach()
        while true {
            reach.formUnion(facts.futures.future(from: next, barrier))
            if !facts.isFunction[next] { return reach }
            let slots = facts.slots[next]
            next = own[frame + slots]
            frame = own[frame + slots + 1]
        }
    }

    /// The operations that other threads cannot complete while this thread rests, which means that it takes no step.
    private func barrier(of thread: Int) -> Futures.Barrier {
        var barrier = Futures.Barrier(thread: thread)
        for lock in facts.locks where owner(of: lock) == thread { barrier.locks |= facts.futures.things.bit(of: lock) }
        return barrier
    }

    /// The thread that holds the lock; −1 if none does.
    private func owner(of lock: Int) -> Int { Int(state.object(UInt32(lock)).owner) - 1 }
}
