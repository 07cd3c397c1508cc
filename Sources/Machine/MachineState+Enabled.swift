/// Which announced operations can be taken now. A pure function of the state.
extension MachineState {
    /// Whether the thread can take a step.
    @inlinable @inline(__always) public func isEnabled(_ thread: Int) -> Bool {
        let gate = threads[thread].gate
        let isEnabled =
            if let object = gate.object {
                header.pointee.objects[object].owner == 0
            } else if gate == .closed {
                false
            } else if let target = gate.thread {
                threads[target].isSettled
            } else {
                canStep(thread)
            }
        assert(isEnabled == canStep(thread), "the thread's gate does not say what its operation says")
        return isEnabled
    }

    /// The same, worked out.
    @inlinable func canStep(_ thread: Int) -> Bool {
        let state = threads + thread
        switch state.pointee.status {
        case .announced: return isEnabled(state.pointee.operation, of: thread)
        case .queued:
            return canWrite(state.pointee.operation.object) || isOver(state.pointee.operation)
        case .waiting: return isLate(state.pointee.operation.b) || header.pointee.spuriousBudget > 0
        case .waking:
            let owner = header.pointee.objects[state.pointee.operation.a].owner
            return owner == 0 || owner == Int32(truncatingIfNeeded: thread + 1)
        case .running, .ended: return false
        }
    }

    /// Fills `list` with the threads that can take a step, in the order of creation, and returns how many there are.
    @inlinable @inline(__always) public func enabledThreads(into list: UnsafeMutablePointer<UInt16>) -> Int {
        var count = 0
        for thread in 0..<header.pointee.threadCount {
            // No branch on the answer, which nobody could predict.
            list[count] = UInt16(truncatingIfNeeded: thread)
            count += isEnabled(thread) ? 1 : 0
        }
        return count
    }

    /// What has to be free before the thread can take the operation (`ThreadState.gate`).
    @inlinable @inline(__always) func gate(of operation: Operation, by thread: Int) -> Gate {
        switch operation.kind {
        case .lock: gate(ofMutex: operation.object, for: thread)
        case .semaphoreWait: .object(operation.object)
        case .join: operation.a == thread ? .open : .thread(operation.a)
        case .read, .load, .semaphoreValue: operation.b == Operation.Watch.again ? .unclear : .open
        case .lockUntil, .semaphoreWaitUntil, .readLock, .readLockUntil, .writeLock, .writeLockUntil, .joinUntil,
            .sleepUntil:
            .unclear
        default: .open
        }
    }

    @inlinable @inline(__always) func gate(ofMutex mutex: UInt32, for thread: Int) -> Gate {
        let state = header.pointee.objects + Int(mutex)
        let isMine = state.pointee.owner == Int32(truncatingIfNeeded: thread + 1)
        return isMine && state.pointee.kind != .normalMutex ? .open : .object(mutex)
    }

    /// Moves the clock to the next deadline that somebody waits for. False if nobody waits for time.
    ///
    /// Time is lazy: the caller asks only when no thread is enabled, so processors are infinitely fast, and what a run does
    /// does not depend on how long its computation takes.
    public func passTime() -> Bool {
        var next = Operation.never
        for thread in 0..<header.pointee.threadCount {
            let deadline = self.deadline(of: thread)
            if deadline > header.pointee.time && deadline < next { next = deadline }
        }
        guard next != Operation.never else { return false }
        header.pointee.time = next
        return true
    }

    /// How many ways the thread's next step can go: the choices inside a step, apart from which thread takes it.
    @inlinable @inline(__always) public func alternatives(of thread: Int) -> Int {
        let operation = threads[thread].operation
        switch operation.kind {
        case .signal:
            return header.pointee.wakesFirst ? 1 : max(1, Int(header.pointee.objects[Int(operation.object)].count))
        case .choose: return max(1, operation.a)
        default: return 1
        }
    }

    /// Whether the thread has come to an operation that it cannot take. Not in a wait, which only a signal ends.
    public func isBlocked(_ thread: Int) -> Bool {
        switch threads[thread].status {
        case .announced, .queued, .waking: !isEnabled(thread)
        case .running, .waiting, .ended: false
        }
    }

    /// Whether the thread is in a condition's wait that nobody has ended.
    @inlinable @inline(__always) public func isWaiting(_ thread: Int) -> Bool { threads[thread].status == .waiting }

    /// The threads in a wait on the condition, first come first: the ways that a signal can go.
    package func waiters(on condition: UInt32) -> [Int] {
        (0..<threadCount).filter { isWaiting($0) && threads[$0].operation.object == condition }
            .sorted { threads[$0].ticket < threads[$1].ticket }
    }

    /// Whether the thread's next step is only to queue for a write lock, so that readers who come later wait behind it.
    package func isArriving(_ thread: Int) -> Bool {
        let operation = threads[thread].operation
        guard threads[thread].status == .announced else { return false }
        guard operation.kind == .writeLock || operation.kind == .writeLockUntil else { return false }
        return header.pointee.objects[Int(operation.object)].kind == .writersFirstLock && !canWrite(operation.object)
    }

    /// Whether all that can happen now is that waits end without a signal. Nothing need happen then: whoever drives the
    /// machine decides between that, and letting time pass or finding that nothing will ever happen.
    ///
    /// - Parameter list: the enabled threads.
    public func isQuiet(_ list: UnsafeBufferPointer<UInt16>) -> Bool {
        header.pointee.spuriousBudget > 0
            && list.allSatisfy { thread in
                let state = threads + Int(thread)
                return state.pointee.status == .waiting && !isLate(state.pointee.operation.b)
            }
    }

    /// Whether a reader who comes now gets the read-write lock.
    public func letsReadersIn(_ object: UInt32) -> Bool { canRead(object) }

    /// Whether a deadline may have passed.
    @inlinable @inline(__always) public func isLate(_ deadline: Int) -> Bool {
        header.pointee.time >= deadline || (header.pointee.mayTimeOut && deadline != Operation.never)
    }

    /// Whether the operation, which has a deadline or not, has waited long enough.
    @usableFromInline func isOver(_ operation: Operation) -> Bool {
        operation.kind == .writeLockUntil && isLate(operation.b)
    }

    @inlinable func isEnabled(_ operation: Operation, of thread: Int) -> Bool {
        let objects = header.pointee.objects
        switch operation.kind {
        case .lock:
            let mutex = objects + Int(operation.object)
            return mutex.pointee.owner == 0
                || (mutex.pointee.owner == Int32(thread + 1) && mutex.pointee.kind != .normalMutex)
        case .lockUntil:
            let mutex = objects + Int(operation.object)
            return mutex.pointee.owner == 0 || isLate(operation.b)
                || (mutex.pointee.owner == Int32(thread + 1) && mutex.pointee.kind != .normalMutex)
        case .semaphoreWait:
            return objects[Int(operation.object)].value > 0
        case .semaphoreWaitUntil:
            return objects[Int(operation.object)].value > 0 || isLate(operation.b)
        case .readLock:
            return canRead(operation.object) || ownsToWrite(operation.object, thread)
        case .readLockUntil:
            return canRead(operation.object) || ownsToWrite(operation.object, thread)
                || isLate(operation.b)
        case .writeLock, .writeLockUntil:
            return canWrite(operation.object) || ownsToWrite(operation.object, thread) || isOver(operation)
                || objects[Int(operation.object)].kind == .writersFirstLock
        case .join:
            return isJoinDecided(operation.a, by: thread)
        case .joinUntil:
            return isJoinDecided(operation.a, by: thread) || isLate(operation.b)
        case .sleepUntil:
            return isLate(operation.b)
        case .read, .load, .semaphoreValue:
            return operation.b != Operation.Watch.again || threads[thread].isStirred
        default:
            return true
        }
    }

    /// A join goes on when its target has ended, or at once when it is refused.
    @inlinable @inline(__always) func isJoinDecided(_ target: Int, by thread: Int) -> Bool {
        target == thread || threads[target].isSettled
    }

    @usableFromInline func canWrite(_ object: UInt32) -> Bool {
        let lock = header.pointee.objects[Int(object)]
        return lock.owner == 0 && lock.count == 0
    }

    /// With readers first (glibc's default) only a writer keeps a reader out; with writers first a waiting one does too.
    @usableFromInline func canRead(_ object: UInt32) -> Bool {
        let lock = header.pointee.objects[Int(object)]
        guard lock.owner == 0 else { return false }
        guard lock.kind == .writersFirstLock else { return true }
        return !(0..<header.pointee.threadCount).contains { other in
            threads[other].status == .queued && threads[other].operation.object == object
        }
    }

    @usableFromInline func ownsToWrite(_ object: UInt32, _ thread: Int) -> Bool {
        header.pointee.objects[Int(object)].owner == Int32(thread + 1)
    }

    /// Whether the thread holds the read-write lock as a reader.
    public func holdsToRead(_ object: UInt32, _ thread: Int) -> Bool { readHold(object, thread) != nil }

    @usableFromInline func deadline(of thread: Int) -> Int {
        let state = threads[thread]
        switch state.status {
        case .waiting: return state.operation.b
        case .announced, .queued:
            switch state.operation.kind {
            case .lockUntil, .semaphoreWaitUntil, .readLockUntil, .writeLockUntil, .joinUntil, .sleepUntil:
                return state.operation.b
            default: return Operation.never
            }
        case .running, .waking, .ended: return Operation.never
        }
    }
}
