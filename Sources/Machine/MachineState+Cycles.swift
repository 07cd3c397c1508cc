/// Deadlocks that exist already although other threads go on: a circle of threads, each of which waits for the next.
extension MachineState {
    /// Whether the step that the thread has just taken closed a circle that only its members could open, and they never will.
    public func isCycleClosed(by thread: Int) -> Bool { waitsForItself(thread) }

    /// Whether more than a choice among the enabled threads may be called for: time has to pass, or there is a circle, or a wait may
    /// end by itself. Nearly never, and cheap to ask.
    ///
    /// - Parameters:
    ///   - thread: took the last step.
    ///   - count: how many threads are enabled.
    @inlinable @inline(__always) public func mayBeStuck(_ thread: Int, enabled count: Int) -> Bool {
        count == 0 || header.pointee.spuriousBudget > 0 || !(isEnabled(thread) || canBeHelped(thread))
    }

    /// Whether it is plain that the blocked thread is in no circle: whoever it waits for can go on.
    @inlinable @inline(__always) func canBeHelped(_ thread: Int) -> Bool {
        let gate = threads[thread].gate
        if let object = gate.object {
            let owner = Int(header.pointee.objects[object].owner)
            return owner < 0 || isEnabled(owner - 1)
        }
        if let target = gate.thread { return isEnabled(target) }
        return gate == .closed
    }

    /// Each of those that a blocked thread waits for must go on before it can. So it never goes on if one of them waits for
    /// it in turn. Waits with a time limit end, and are no part of a circle.
    private func waitsForItself(_ thread: Int) -> Bool {
        var next = thread
        for _ in 0..<threadCount {
            if isEnabled(next) { return false }
            switch (threads[next].status, threads[next].operation.kind) {
            case (.announced, .lock):
                let owner = Int(header.pointee.objects[Int(threads[next].operation.object)].owner)
                if owner == 0 { return false }
                next = owner - 1
            case (.announced, .join): next = threads[next].operation.a
            case (.announced, .semaphoreWait), (.announced, .read), (.announced, .load), (.waiting, _), (.running, _),
                (.ended, _):
                return false
            default:
                // It may wait for several.
                var patience = 4 * threadCount
                return reaches(thread, from: next, &patience)
            }
            if next == thread { return true }
        }
        return false
    }

    /// Fills `list` with the threads that can never go on because of a circle that they are in; without one, with all that have
    /// begun and not ended, but for those that only wait for the end of others. Returns how many there are.
    package func stuckThreads(into list: UnsafeMutablePointer<UInt16>) -> Int {
        var count = 0
        func fill(where isStuck: (Int) -> Bool) {
            for thread in 0..<threadCount where !hasEnded(thread) && !isNew(thread) && isStuck(thread) {
                list[count] = UInt16(truncatingIfNeeded: thread)
                count += 1
            }
        }
        fill(where: waitsForItself)
        if count == 0 { fill { operation(of: $0).kind != .join } }
        return count
    }

    private func reaches(_ goal: Int, from thread: Int, _ patience: inout Int) -> Bool {
        patience -= 1
        if patience < 0 || isEnabled(thread) { return false }
        let state = threads[thread]
        let operation = state.operation
        func leads(_ next: Int) -> Bool { next == goal || reaches(goal, from: next, &patience) }
        func ownerLeads(_ object: Int) -> Bool {
            let owner = Int(header.pointee.objects[object].owner)
            return owner != 0 && leads(owner - 1)
        }
        switch (state.status, operation.kind) {
        case (.waking, _): return ownerLeads(operation.a)
        case (.announced, .lock): return ownerLeads(Int(operation.object))
        case (.announced, .join): return leads(operation.a)
        case (.announced, .readLock):
            return ownerLeads(Int(operation.object))
                || (0..<threadCount).contains {
                    threads[$0].status == .queued && threads[$0].operation.object == operation.object && leads($0)
                }
        case (.announced, .writeLock), (.queued, .writeLock):
            return ownerLeads(Int(operation.object))
                || (0..<header.pointee.holdCount).contains {
                    let hold = header.pointee.holds[$0]
                    return hold.object == operation.object && leads(Int(hold.thread))
                }
        default: return false
        }
    }
}
