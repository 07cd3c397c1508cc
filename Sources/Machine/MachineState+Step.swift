import Trace

/// What one step does to the state. The only place that says what an operation means under the controlled runtime.
extension MachineState {
    /// Takes the thread's announced operation, which must be enabled.
    ///
    /// - Parameter alternative: which of the step's `alternatives` it takes: the waiter that a signal wakes, in order of
    ///   arrival, or the number that `choose` yields.
    @inlinable @inline(__always) public func step(_ thread: Int, alternative: Int = 0) -> StepResult {
        let state = threads + thread
        switch state.pointee.status {
        case .waiting: return leaveWait(thread)
        case .waking: return takeAgain(thread)
        default: break
        }
        state.pointee.status = .running
        state.pointee.gate = .closed
        let operation = state.pointee.operation
        let object = header.pointee.objects + Int(operation.object)
        switch operation.kind {
        case .lock: return lock(object, by: thread)
        case .unlock: return unlock(object, by: thread)
        case .tryLock, .lockUntil:
            if object.pointee.owner != 0 && object.pointee.owner != Int32(thread + 1) {
                return operation.kind == .lockUntil ? late(operation.b) : .done(false)
            }
            return lockAgainOrAtAll(object, by: thread, operation.kind)
        case .wait: return wait(object, operation, by: thread)
        case .signal:
            if object.pointee.count > 0 { wake(operation.object, waiter: alternative) }
            return .done()
        case .broadcast:
            while object.pointee.count > 0 { wake(operation.object, waiter: 0) }
            return .done()
        case .semaphoreWait, .semaphoreTryWait, .semaphoreWaitUntil:
            guard object.pointee.value > 0 else {
                return operation.kind == .semaphoreWaitUntil ? late(operation.b) : .done(false)
            }
            if header.pointee.watchCount != 0 { stir(operation.object) }
            object.pointee.value -= 1
            if object.pointee.value == 0 { object.pointee.owner = -1 }
            return .done(true)
        case .semaphoreSignal:
            guard object.pointee.value < Int(Int32.max) else { return .misuse(.semaphoreOverflow) }
            if header.pointee.watchCount != 0 { stir(operation.object) }
            object.pointee.value += 1
            object.pointee.owner = 0
            return .done()
        case .readLock, .tryReadLock, .readLockUntil, .writeLock, .tryWriteLock, .writeLockUntil, .unlockShared:
            return readWriteStep(operation, object, by: thread)
        case .load, .read, .semaphoreValue:
            if operation.b != 0 { watch(operation, by: thread) }
            return .done(object.pointee.value)
        case .store, .write:
            if header.pointee.watchCount != 0 { stir(operation.object) }
            object.pointee.value = operation.a
            return .done()
        case .exchange, .add, .bitAnd, .bitOr, .bitXor, .compareExchange: return update(object, operation)
        case .append:
            object.pointee.value += 1
            return .done(object.pointee.value)
        case .join, .tryJoin, .joinUntil: return join(operation, by: thread)
        case .detach: return detach(operation.a)
        case .destroy: return destroy(operation.object, object)
        case .choose: return .done(alternative)
        case .sleepUntil: return late(operation.b)
        case .start, .exit, .spawn, .yield: return .done()
        }
    }

    /// The time limit has passed. If limits may pass at any moment, the clock is put right now.
    @inlinable @inline(__always) func late(_ deadline: Int) -> StepResult {
        if header.pointee.time < deadline { header.pointee.time = deadline }
        return .done(false)
    }

    // MARK: - Mutexes

    @inlinable @inline(__always)
    func lock(_ mutex: UnsafeMutablePointer<ObjectState>, by thread: Int) -> StepResult {
        if mutex.pointee.owner == 0 {
            mutex.pointee.owner = Int32(truncatingIfNeeded: thread + 1)
            mutex.pointee.count = 1
            mutex.pointee.value += 1
            return .done(true)
        }
        return lockAgainOrAtAll(mutex, by: thread, .lock)
    }

    /// The mutex is free, or the thread's own.
    @usableFromInline func lockAgainOrAtAll(
        _ mutex: UnsafeMutablePointer<ObjectState>, by thread: Int, _ kind: Operation.Kind
    ) -> StepResult {
        if mutex.pointee.owner == 0 { return lock(mutex, by: thread) }
        switch mutex.pointee.kind {
        case .recursiveMutex:
            mutex.pointee.count += 1
            return .done(true)
        case .errorCheckingMutex where kind != .tryLock: return .misuse(.relock)
        default: return .done(false)
        }
    }

    @inlinable @inline(__always)
    func unlock(_ mutex: UnsafeMutablePointer<ObjectState>, by thread: Int) -> StepResult {
        guard mutex.pointee.owner == Int32(truncatingIfNeeded: thread + 1) else { return .misuse(.unlockNotOwner) }
        mutex.pointee.count -= 1
        if mutex.pointee.count == 0 { mutex.pointee.owner = 0 }
        return .done()
    }

    // MARK: - Conditions

    @usableFromInline func wait(
        _ condition: UnsafeMutablePointer<ObjectState>, _ operation: Operation, by thread: Int
    ) -> StepResult {
        let mutex = header.pointee.objects + operation.a
        guard mutex.pointee.owner == Int32(thread + 1) else { return .misuse(.waitNotOwner) }
        guard condition.pointee.count == 0 || condition.pointee.value == operation.a else {
            return .misuse(.waitOtherMutex)
        }
        condition.pointee.value = operation.a
        condition.pointee.count += 1
        let state = threads + thread
        state.pointee.status = .waiting
        let mayEnd = operation.b != Operation.never || header.pointee.spuriousBudget > 0
        state.pointee.gate = mayEnd ? .unclear : .closed
        state.pointee.wasWoken = false
        state.pointee.ticket = header.pointee.nextTicket
        header.pointee.nextTicket += 1
        // As POSIX has it: one unlock. A recursive mutex that is held more than once stays held.
        mutex.pointee.count -= 1
        if mutex.pointee.count == 0 { mutex.pointee.owner = 0 }
        return .blocked
    }

    /// Wakes the n-th waiter in the order of arrival. It goes on when it has its mutex again.
    @usableFromInline func wake(_ condition: UInt32, waiter n: Int) {
        var chosen = firstWaiter(on: condition, after: -1)
        for _ in 0..<n { chosen = firstWaiter(on: condition, after: threads[chosen].ticket) }
        wakeUp(chosen)
        threads[chosen].wasWoken = true
        header.pointee.objects[Int(condition)].count -= 1
    }

    /// The waiter that came next after the one with this ticket. There must be one.
    @usableFromInline func firstWaiter(on condition: UInt32, after ticket: Int) -> Int {
        var first = -1
        for thread in 0..<header.pointee.threadCount {
            let state = threads + thread
            guard state.pointee.status == .waiting, state.pointee.operation.object == condition,
                state.pointee.ticket > ticket
            else { continue }
            if first < 0 || state.pointee.ticket < threads[first].ticket { first = thread }
        }
        return first
    }

    /// The wait ends by its deadline, or spuriously before. That is a step of its own, which no mutex can hold up: a signal that
    /// comes later, while the thread waits for its mutex, is another waiter's.
    @usableFromInline func leaveWait(_ thread: Int) -> StepResult {
        let state = threads + thread
        header.pointee.objects[Int(state.pointee.operation.object)].count -= 1
        if isLate(state.pointee.operation.b) {
            _ = late(state.pointee.operation.b)
        } else {
            header.pointee.spuriousBudget -= 1
            state.pointee.wasWoken = true
        }
        wakeUp(thread)
        return .blocked
    }

    /// The wait is over, but for the mutex.
    private func wakeUp(_ thread: Int) {
        threads[thread].status = .waking
        threads[thread].gate = gate(ofMutex: UInt32(threads[thread].operation.a), for: thread)
    }

    @usableFromInline func takeAgain(_ thread: Int) -> StepResult {
        let state = threads + thread
        let mutex = header.pointee.objects + state.pointee.operation.a
        mutex.pointee.owner = Int32(thread + 1)
        mutex.pointee.count += 1
        mutex.pointee.value += 1
        state.pointee.status = .running
        state.pointee.gate = .closed
        return .done(state.pointee.wasWoken)
    }
}
