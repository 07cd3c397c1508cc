/// Which threads can take a step now, with how many alternatives, and what blocks the others.
extension MachineState {
    /// Whether the thread can take a step. The gate is a shortcut; in debug builds its answer is compared with the
    /// rule's.
    @inline(always) package func isEnabled(_ thread: Int) -> Bool {
        let gate = threads[thread].gate
        let isEnabled = gate.isSimple ? isOpen(gate) : isUnclearGateOpen(thread)
        assert(
            !header.pointee.isCompared || isEnabled == !ruling(on: thread).isBlocked,
            "the thread's gate contradicts the rule")
        return isEnabled
    }

    /// Whether the thread's gate is open, and no wait can end spuriously. The driver then need not look closer
    /// (`mayBeStuck`).
    @inline(always) func canSurelyContinue(_ thread: Int) -> Bool {
        threads[thread].gate.word == Gate.open.word && header.pointee.scalars.spuriousBudget == 0
    }

    /// Whether the gate, which is simple, is open.
    @inline(always) func isOpen(_ gate: Gate) -> Bool { openBit(gate) != 0 }

    /// 1 if the gate, which is simple, is open, otherwise 0. Computed without a branch, which would be unpredictable.
    @inline(always) private func openBit(_ gate: Gate) -> Int {
        let obstacle = header.pointee.objects[gate.objectOrNone].owner | gate.closedBits
        // As a number of 64 bits the obstacle is not negative, so subtracting 1 sets the highest bit only if it is 0.
        return Int(truncatingIfNeeded: (UInt64(UInt32(bitPattern: obstacle)) &- 1) >> 63)
    }

    /// Whether a gate that is not simple is open.
    @inline(never) private func isUnclearGateOpen(_ thread: Int) -> Bool { !ruling(on: thread).isBlocked }

    /// Fills `list` with the threads that can take a step, in the order of creation, and returns their number.
    @inline(always) package func enabledThreads(into list: UnsafeMutablePointer<UInt16>) -> Int {
        var count = 0
        var thread = 0
        let end = header.pointee.scalars.threadCount
        while thread < end {
            // If the thread cannot step, the next one takes its place.
            list[count] = UInt16(truncatingIfNeeded: thread)
            let gate = threads[thread].gate
            if gate.isSimple {
                count &+= openBit(gate)
            } else {
                count &+= isUnclearGateOpen(thread) ? 1 : 0
            }
            assert(
                !header.pointee.isCompared || (count > 0 && list[count - 1] == UInt16(thread)) == isEnabled(thread))
            thread &+= 1
        }
        return count
    }

    /// The gate of a thread that announces the operation (`ThreadState.gate`). For frequent operations it is computed
    /// without a branch on the operation's kind, which would be unpredictable.
    @inline(always) func gate(of operation: Operation, by thread: Int) -> Gate {
        let kind = operation.kind
        let entrance = kind.row.entrance
        // A negative second argument marks the first read of a renewed attempt (`Operation.Watch.again`), or is the
        // value that a compare-exchange stores.
        if entrance == .unclear || operation.b < 0 { return rareGate(of: operation, by: thread) }
        if header.pointee.weakMemory != nil && operation.isWatching { return .unclear }
        let object = header.pointee.objects.base + Int(operation.object)
        let isMine = object.pointee.owner == Int32(truncatingIfNeeded: thread &+ 1)
        // A normal mutex blocks its own holder too.
        let mayRelock = isMine && object.pointee.kind != .normalMutex
        return entrance == .free && !mayRelock ? .object(operation.object) : .open
    }

    /// The gate of an operation with the entrance `unclear` or a negative second argument.
    @inline(never) private func rareGate(of operation: Operation, by thread: Int) -> Gate {
        switch operation.kind.row.entrance {
        case .free: return gate(ofMutex: operation.object, for: thread)
        case .open: return operation.isRenewedLook ? .unclear : .open
        case .unclear:
            let isJoin = operation.kind == .join && operation.object == 0
            return isJoin ? gate(toJoin: operation.a, thread) : .unclear
        }
    }

    /// The gate of a thread that will lock the mutex.
    @inline(always) func gate(ofMutex mutex: UInt32, for thread: Int) -> Gate {
        let state = header.pointee.objects.base + Int(mutex)
        let isMine = state.pointee.owner == Int32(truncatingIfNeeded: thread + 1)
        return isMine && state.pointee.kind != .normalMutex ? .open : .object(mutex)
    }

    /// The number of alternatives of the thread's next step: for example, the waiters of which a signal wakes one.
    @inline(always) package func alternatives(of thread: Int) -> Int {
        let operation = threads[thread].operation
        if operation.kind == .signal {
            return header.pointee.scalars.wakesFirst
                ? 1 : max(1, Int(header.pointee.objects[Int(operation.object)].count))
        }
        if let memory = weakMemory, isWeak(thread) { return max(1, memory.findWays(thread, operation, self)) }
        if operation.kind == .weakCompareExchange { return mayFailSpuriously(thread) ? 2 : 1 }
        if header.pointee.scalars.mayTimeOut && operation.kind.hasDeadline { return waysInTime(thread) }
        return operation.kind == .choose ? max(1, operation.a) : 1
    }

    /// The number of alternatives of an operation with a time limit that may pass at any moment.
    @inline(never) private func waysInTime(_ thread: Int) -> Int {
        Rule.ways(threads[thread].operation, threads[thread].status, of: thread, in: self)
    }

    /// Whether the thread's next step has alternatives each of which a fair scheduler takes at some time. An expiring
    /// time limit and a spurious failure of a compare-exchange are not such alternatives: nothing makes them happen.
    package func isFork(_ thread: Int) -> Bool {
        let operation = threads[thread].operation
        if operation.kind.hasDeadline { return false }
        // Under a weaker memory model, which write the operation reads is an alternative too.
        if operation.kind == .weakCompareExchange && weakMemory == nil { return false }
        return alternatives(of: thread) > 1
    }

    /// Whether the thread's weak compare-exchange would find the expected value, and may fail spuriously.
    @inline(never) func mayFailSpuriously(_ thread: Int) -> Bool {
        header.pointee.traits.insert(.weakUpdates)
        let operation = threads[thread].operation
        return header.pointee.scalars.spuriousBudget > 0 && threads[thread].status == .announced
            && object(operation.object).value == operation.a
    }

    /// A thread's weak compare-exchange fails spuriously.
    @inline(never) func failSpuriously(_ operation: Operation) -> StepResult {
        header.pointee.scalars.spuriousBudget -= 1
        return StepResult(.done, Memory.spuriousFailure(of: operation).value, .failSpuriously)
    }

    /// The ruling on the thread's next step with this alternative.
    @inline(always) package func ruling(on thread: Int, alternative: Int) -> Ruling {
        let ruling = ruling(on: thread)
        return alternative == 0 ? ruling : self.ruling(on: thread, insteadOf: ruling)
    }

    /// The ruling on an alternative other than the first. All alternatives of a signal (which waiter it wakes) and of a
    /// choice (which number is chosen) have the same ruling.
    @inline(never) private func ruling(on thread: Int, insteadOf first: Ruling) -> Ruling {
        let state = threads + thread
        if first.act == .update { return Memory.spuriousFailure(of: state.pointee.operation) }
        guard state.pointee.operation.kind.hasDeadline else { return first }
        return Rule.inTime(state.pointee.operation, state.pointee.status, of: thread, in: self)
    }

    /// Whether the thread has announced an operation that it cannot take. A thread in a condition's wait is not blocked
    /// in this sense.
    package func isBlocked(_ thread: Int) -> Bool {
        switch threads[thread].status {
        case .announced, .queued, .waking: !isEnabled(thread)
        case .running, .waiting, .ended: false
        }
    }

    /// Whether the thread's next step is the only read of an `await`, which continues to wait after the step.
    @inline(always) package func failsAwait(_ thread: Int) -> Bool {
        threads[thread].operation.kind.isLook && threads[thread].status == .announced
            && Memory.failsAwait(threads[thread].operation, in: self)
    }

    /// Whether all that can happen now is that waits end spuriously. That need not happen: the driver may let time pass
    /// instead, or end the execution.
    ///
    /// - Parameter list: the enabled threads.
    package func isQuiet(_ list: UnsafeBufferPointer<UInt16>) -> Bool {
        header.pointee.scalars.spuriousBudget > 0 && list.allSatisfy { ruling(on: Int($0)).act == .leaveEarly }
    }
}
