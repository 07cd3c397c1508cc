/// Deadlocks that exist although other threads continue: cycles of threads, each of which waits for the next.
extension MachineState {
    /// Whether the driver may have to do more than let a thread be chosen: time has to pass, the last step closed a
    /// cycle, or a wait may end spuriously. Rarely true without need, and cheap to ask.
    ///
    /// - Parameters:
    ///   - thread: the one that took the last step.
    ///   - count: the number of enabled threads.
    @inline(always) package func mayBeStuck(_ thread: Int, enabled count: Int) -> Bool {
        if count == 0 || header.pointee.scalars.spuriousBudget > 0 { return true }
        let gate = threads[thread].gate
        // The gate is unclear, or that of a join.
        if gate.word < Gate.closed.word { return !(isEnabled(thread) || canBeHelped(gate)) }
        // The usual case: the gate is open or names an object. The thread is not stuck if the object is free, or if the
        // gate of its owner is open. Computed without a branch on whether the thread is blocked, which is
        // unpredictable.
        let owner = header.pointee.objects[gate.objectOrNone].owner
        // If the object has no owner, this is the gate of thread 0, which then does not matter.
        let helper = threads[Int(max(owner &- 1, 0))].gate
        let isHelped = helper.closedBits | header.pointee.objects[helper.objectOrNone].owner == 0
        return !(owner <= 0 || isHelped || canBeHelped(gate))
    }

    /// Whether a thread with this gate is obviously not in a cycle: it waits for no particular thread, or for one that
    /// can continue.
    @inline(never) private func canBeHelped(_ gate: Gate) -> Bool {
        if let object = gate.object {
            let owner = Int(header.pointee.objects[object].owner)
            return owner <= 0 || isEnabled(owner - 1)
        }
        if let target = gate.thread { return isEnabled(target) }
        return gate == .closed
    }

    /// Whether the thread is in a cycle of blocked threads, each of which waits for the next. A blocked thread
    /// continues only after all threads that it waits for have continued, so the threads of a cycle never do.
    package func isInCycle(_ thread: Int) -> Bool {
        isInCycle(thread, without: nil)
    }

    /// Whether some thread is in a cycle that does not contain this thread.
    package func hasCycle(without thread: Int) -> Bool {
        (0..<threadCount).contains { $0 != thread && isInCycle($0, without: thread) }
    }

    private func isInCycle(_ thread: Int, without other: Int?) -> Bool {
        var seen = ThreadSet()
        // No path leads through a thread that counts as examined.
        if let other { _ = seen.insert(other) }
        return leads(from: thread, to: thread, &seen)
    }

    /// Whether a thread that was woken, and waits for its mutex, is in a cycle (`isInCycle`).
    var isAnyWakingInCycle: Bool {
        (0..<threadCount).contains { threads[$0].status == .waking && isInCycle($0) }
    }

    /// Whether some alternative of the thread's next step, after which it announces `next`, would close a cycle
    /// (`isInCycle`).
    ///
    /// - Parameter scratch: memory for the present state, which is restored.
    package func closesCycle(by thread: Int, announcing next: Operation, _ scratch: inout PackedState) -> Bool {
        let ruling = ruling(on: thread)
        if ruling.isBlocked { return false }
        encode(into: &scratch)
        return (0..<alternatives(of: thread)).contains { way in
            defer { decode(scratch) }
            _ = take(self.ruling(on: thread, alternative: way), thread, way)
            if threads[thread].status == .running { announce(thread, next) }
            return isInCycle(thread) || (ruling.act.wakesThreads && isAnyWakingInCycle)
        }
    }

    /// - Parameter seen: the threads that are being examined, or from which nothing leads to `goal`.
    private func leads(from thread: Int, to goal: Int, _ seen: inout ThreadSet) -> Bool {
        // `closesCycle` tries out steps. A thread that such a step spawned does not exist yet, and can start.
        if thread >= threadCount || !seen.insert(thread) || isEnabled(thread) { return false }
        return anyBlocker(of: thread) { $0 == goal || leads(from: $0, to: goal, &seen) }
    }

    /// Whether the predicate holds for one of the threads that must act before this blocked thread can continue. If its
    /// wait has a time limit, there are none, because the wait ends by itself.
    private func anyBlocker(of thread: Int, _ isTrue: (Int) -> Bool) -> Bool {
        let state = threads[thread]
        let operation = state.operation
        if state.status != .waking && operation.deadline != Operation.never { return false }
        func owner(of object: Int) -> Bool {
            let owner = Int(header.pointee.objects[object].owner)
            return owner > 0 && isTrue(owner - 1)
        }
        switch ruling(on: thread).act.row.need {
        case .mutex: return owner(of: Int(operation.object))
        case .mutexOfWait: return owner(of: operation.a)
        case .threadEnd: return Threads.target(of: operation, in: self).map(isTrue) ?? false
        case .reading:
            return owner(of: Int(operation.object))
                || (0..<threadCount).contains {
                    threads[$0].status == .queued && threads[$0].operation.object == operation.object && isTrue($0)
                }
        case .writing:
            return owner(of: Int(operation.object))
                || (0..<header.pointee.scalars.holdCount).contains {
                    let hold = header.pointee.holds[$0]
                    return hold.object == operation.object && isTrue(Int(hold.thread))
                }
        case .nothing, .permit, .signal, .change, .time: return false
        }
    }

    /// A set of a run's threads, one bit each: 16 × 64 is `maximumThreads`.
    private struct ThreadSet {
        private var bits = InlineArray<16, UInt64>(repeating: 0)

        /// Returns false if it was in the set already.
        mutating func insert(_ thread: Int) -> Bool {
            let bit: UInt64 = 1 << UInt64(thread & 63)
            defer { bits[thread >> 6] |= bit }
            return bits[thread >> 6] & bit == 0
        }
    }

    /// Fills `list` with the threads that can never continue because they are in a cycle. If there is no cycle: with
    /// all threads that have begun and not ended, except those that only wait for others to end. Returns their number.
    package func stuckThreads(into list: UnsafeMutablePointer<UInt16>) -> Int {
        var count = 0
        func fill(where isStuck: (Int) -> Bool) {
            for thread in 0..<threadCount where !hasEnded(thread) && !isNew(thread) && isStuck(thread) {
                list[count] = UInt16(truncatingIfNeeded: thread)
                count += 1
            }
        }
        fill(where: isInCycle)
        if count == 0 { fill { operation(of: $0).kind != .join } }
        return count
    }
}
