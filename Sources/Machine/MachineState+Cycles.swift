/// Deadlocks that exist already although other threads go on: a circle of threads, each of which waits for the next.
extension MachineState {
    /// Whether the step that the thread has just taken closed a circle that only its members could open, and they never will.
    ///
    /// - Parameter enabled: the threads that can go on.
    @inlinable @inline(__always)
    public func isCycleClosed(by thread: Int, enabled: UnsafeBufferPointer<UInt16>) -> Bool {
        for other in enabled where Int(other) == thread { return false }
        return !canBeHelped(thread) && waitsForItself(thread)
    }

    /// Whether it is plain that somebody can go on who could let the thread go on: nearly always.
    @inlinable @inline(__always) func canBeHelped(_ thread: Int) -> Bool {
        let state = threads + thread
        let operation = state.pointee.operation
        let helper: Int
        switch (state.pointee.status, operation.kind) {
        case (.ended, _), (.running, _), (.waiting, _): return true
        case (.announced, .lock): helper = Int(header.pointee.objects[Int(operation.object)].owner) - 1
        case (.announced, .join): helper = operation.a
        case (.announced, .semaphoreWait), (.announced, .read), (.announced, .load): return true
        default: return false
        }
        return helper < 0 || (helper != thread && isEnabled(helper))
    }

    /// Each of those that a blocked thread waits for must go on before it can. So it never goes on if one of them waits for
    /// it in turn. Waits with a time limit end, and are no part of a circle.
    @usableFromInline func waitsForItself(_ thread: Int) -> Bool {
        var patience = 4 * threadCount
        return reaches(thread, from: thread, &patience)
    }

    /// The threads that can never go on because of a circle that they are in; without one, all that have begun and not ended,
    /// but for those that only wait for the end of others.
    package var stuckThreads: [Int] {
        let standing = (0..<threadCount).filter { !hasEnded($0) && !isNew($0) }
        let circle = standing.filter { waitsForItself($0) }
        return circle.isEmpty ? standing.filter { operation(of: $0).kind != .join } : circle
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
