/// Which threads can take a step now, with how many alternatives, and what blocks the others.
extension MachineState {
    /// Whether the thread can take a step. The gate is a shortcut; in debug builds its answer is compared with the
    /// rule's.
    @inline(__always) package func isEnabled(_ thread: Int) -> Bool {
        let gate = threads[thread].gate
        let isEnabled =
            if let object = gate.object {
                header.pointee.objects[object].owner == 0
            } else if gate == .closed {
                false
            } else if let target = gate.thread {
                threads[target].isSettled
            } else {
                !ruling(on: thread).isBlocked
            }
        assert(isEnabled == !ruling(on: thread).isBlocked, "the thread's gate contradicts the rule")
        return isEnabled
    }

    /// Fills `list` with the threads that can take a step, in the order of creation, and returns their number.
    @inline(__always) package func enabledThreads(into list: UnsafeMutablePointer<UInt16>) -> Int {
        var count = 0
        for thread in 0..<header.pointee.threadCount {
            // Without a branch on the answer, which is unpredictable.
            list[count] = UInt16(truncatingIfNeeded: thread)
            count += isEnabled(thread) ? 1 : 0
        }
        return count
    }

    /// What has to be free before the thread can take the operation (`ThreadState.gate`).
    @inline(__always) func gate(of operation: Operation, by thread: Int) -> Gate {
        switch operation.kind {
        case .lock: gate(ofMutex: operation.object, for: thread)
        case .semaphoreWait: .object(operation.object)
        case .join: operation.object != 0 ? .unclear : operation.a == thread ? .open : .thread(operation.a)
        case .read, .load, .semaphoreValue: operation.b == Operation.Watch.again ? .unclear : .open
        case .lockUntil, .semaphoreWaitUntil, .readLock, .readLockUntil, .writeLock, .writeLockUntil, .joinUntil,
            .sleepUntil:
            .unclear
        default: .open
        }
    }

    @inline(__always) func gate(ofMutex mutex: UInt32, for thread: Int) -> Gate {
        let state = header.pointee.objects.base + Int(mutex)
        let isMine = state.pointee.owner == Int32(truncatingIfNeeded: thread + 1)
        return isMine && state.pointee.kind != .normalMutex ? .open : .object(mutex)
    }

    /// Moves the clock to the next deadline that a thread waits for. False if no thread waits for time.
    ///
    /// Time is lazy: the caller asks only when no thread is enabled, so processors are infinitely fast, and what a run
    /// does does not depend on how long its computation takes.
    package func passTime() -> Bool {
        var next = Operation.never
        for thread in 0..<header.pointee.threadCount {
            let deadline = self.deadline(of: thread)
            if deadline > header.pointee.time && deadline < next { next = deadline }
        }
        guard next != Operation.never else { return false }
        header.pointee.time = next
        return true
    }

    private func deadline(of thread: Int) -> Int {
        switch threads[thread].status {
        case .waiting, .announced, .queued: threads[thread].operation.deadline
        case .running, .waking, .ended: Operation.never
        }
    }

    /// The number of alternatives of the thread's next step: choices within the step, apart from which thread takes it.
    @inline(__always) package func alternatives(of thread: Int) -> Int {
        let operation = threads[thread].operation
        switch operation.kind {
        case .signal:
            return header.pointee.wakesFirst ? 1 : max(1, Int(header.pointee.objects[Int(operation.object)].count))
        case .choose: return max(1, operation.a)
        default: return 1
        }
    }

    /// Whether the thread has reached an operation that it cannot take. Not in a wait, which only a signal ends.
    package func isBlocked(_ thread: Int) -> Bool {
        switch threads[thread].status {
        case .announced, .queued, .waking: !isEnabled(thread)
        case .running, .waiting, .ended: false
        }
    }

    /// Whether the thread is in a wait on a condition that nothing has ended.
    @inline(__always) package func isWaiting(_ thread: Int) -> Bool { threads[thread].status == .waiting }

    /// The threads in a wait on the condition, in the order of arrival: the alternatives of a signal.
    package func waiters(on condition: UInt32) -> [Int] {
        (0..<threadCount).filter { isWaiting($0) && threads[$0].operation.object == condition }
            .sorted { threads[$0].ticket < threads[$1].ticket }
    }

    /// Whether the only thing that can happen now is that waits end without a signal. That need not happen: the driver
    /// chooses between it and letting time pass, or ending the execution because nothing can happen any more.
    ///
    /// - Parameter list: the enabled threads.
    package func isQuiet(_ list: UnsafeBufferPointer<UInt16>) -> Bool {
        header.pointee.spuriousBudget > 0 && list.allSatisfy { ruling(on: Int($0)).act == .leaveEarly }
    }
}
