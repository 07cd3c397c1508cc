import Trace

/// What a step does to the words.
extension MachineState {
    /// The ruling on the thread's next step, now.
    @inline(always) package func ruling(on thread: Int) -> Ruling {
        let state = threads + thread
        return Rule.ruling(state.pointee.operation, state.pointee.status, of: thread, in: self)
    }

    /// Takes the thread's next step, which must be enabled.
    ///
    /// - Parameter alternative: which of the step's `alternatives` it takes: the waiter that a signal wakes, in the
    ///   order of arrival, or the number that `choose` returns.
    @inline(always) package func step(_ thread: Int, alternative: Int = 0) -> StepResult {
        take(ruling(on: thread), thread, alternative)
    }

    /// Takes a step whose ruling is known.
    @inline(always)
    func take(_ ruling: Ruling, _ thread: Int, _ alternative: Int) -> StepResult {
        take(ruling, threads[thread].operation, thread, alternative)
    }

    /// The same if the operation is known too.
    @inline(always)
    func take(_ ruling: Ruling, _ operation: Operation, _ thread: Int, _ alternative: Int) -> StepResult {
        let state = threads + thread
        let object = header.pointee.objects.base + Int(operation.object)
        state.pointee.status = .running
        state.pointee.gate = .closed
        switch ruling.act {
        case .take:
            object.pointee.owner = Int32(truncatingIfNeeded: thread + 1)
            object.pointee.count = Int32(truncatingIfNeeded: ruling.word)
            object.pointee.value += 1
        case .release:
            object.pointee.count = Int32(truncatingIfNeeded: ruling.word)
            if ruling.word <= 0 { object.pointee.owner = 0 }
        case .read, .load, .look: if operation.b != 0 { watch(operation, by: thread) }
        case .write, .store, .update:
            if header.pointee.scalars.watchCount != 0 { stir(operation.object) }
            object.pointee.value = ruling.word
        case .takePermit:
            if header.pointee.scalars.watchCount != 0 { stir(operation.object) }
            object.pointee.value -= 1
            if object.pointee.value == 0 { object.pointee.owner = -1 }
        case .givePermit:
            if header.pointee.scalars.watchCount != 0 { stir(operation.object) }
            object.pointee.value += 1
            object.pointee.owner = 0
        case .start, .exit, .inspect, .yield, .signalNone, .mismatch, .fail, .failToWrite, .findAlive, .readClock,
            .destroy:
            break
        case .choose: return StepResult(.done, alternative, .choose)
        case .misuse: return StepResult(.misuse, ruling.value, .misuse)
        case .beginWait, .leaveLate, .leaveEarly, .endWait: return takeWait(ruling.act, thread)
        default: return takeOther(ruling, thread, alternative)
        }
        return StepResult(.done, ruling.value, ruling.act)
    }

    /// The less frequent ones.
    func takeOther(_ ruling: Ruling, _ thread: Int, _ alternative: Int) -> StepResult {
        let operation = threads[thread].operation
        let object = header.pointee.objects.base + Int(operation.object)
        switch ruling.act {
        case .takeAgain: object.pointee.count += 1
        case .wakeOne: wake(operation.object, waiter: alternative)
        case .wakeAll: while object.pointee.count > 0 { wake(operation.object, waiter: 0) }
        case .awake, .failLate, .failToWriteLate, .joinLate: reach(operation.b)
        case .share: addReadHold(operation.object, thread)
        case .unshare: removeReadHold(operation.object, thread)
        case .takeToWrite: object.pointee.owner = Int32(truncatingIfNeeded: thread + 1)
        case .releaseToWrite: object.pointee.owner = 0
        case .queue:
            threads[thread].status = .queued
            threads[thread].gate = .unclear
            return StepResult(.blocked, 0, .queue)
        case .spawn: if operation.object != 0 { object.pointee.value = threadCount + 1 }
        case .join:
            let target = Rule.target(of: operation, in: self)!
            threads[target].isJoined = true
            openGates(to: target)
        case .detach: setDetached(Rule.target(of: operation, in: self)!)
        case .append: object.pointee.value = ruling.word
        default: preconditionFailure("an act that does nothing")
        }
        return StepResult(.done, ruling.value, ruling.act)
    }

    /// A time limit has passed. If limits may pass at any moment, the clock is corrected now.
    func reach(_ deadline: Int) {
        if header.pointee.scalars.time < deadline { header.pointee.scalars.time = deadline }
    }

    // MARK: - Conditions

    func takeWait(_ act: Act, _ thread: Int) -> StepResult {
        let state = threads + thread
        let wait = state.pointee.operation
        let condition = header.pointee.objects.base + Int(wait.object)
        let mutex = header.pointee.objects.base + wait.a
        switch act {
        case .beginWait:
            condition.pointee.value = wait.a
            condition.pointee.count += 1
            let mayEnd = wait.b != Operation.never || header.pointee.scalars.spuriousBudget > 0
            state.pointee.status = .waiting
            state.pointee.gate = mayEnd ? .unclear : .closed
            state.pointee.wasWoken = false
            state.pointee.ticket = header.pointee.scalars.nextTicket
            header.pointee.scalars.nextTicket += 1
            // As in POSIX: one unlock. A recursive mutex that is locked more than once stays locked.
            mutex.pointee.count -= 1
            if mutex.pointee.count == 0 { mutex.pointee.owner = 0 }
            return StepResult(.blocked, 0, act)
        case .endWait:
            mutex.pointee.owner = Int32(thread + 1)
            mutex.pointee.count += 1
            mutex.pointee.value += 1
            return StepResult(.done, state.pointee.wasWoken ? 1 : 0, act)
        default:
            // The wait ends without a signal. That is a separate step, which no mutex can delay: a signal that comes
            // later, while the thread waits for its mutex, goes to another waiter.
            condition.pointee.count -= 1
            if act == .leaveLate { reach(wait.b) } else { header.pointee.scalars.spuriousBudget -= 1 }
            state.pointee.wasWoken = act == .leaveEarly
            wakeUp(thread)
            return StepResult(.blocked, 0, act)
        }
    }

    /// Wakes the n-th waiter in the order of arrival. It continues when it has reacquired its mutex.
    func wake(_ condition: UInt32, waiter n: Int) {
        var chosen = firstWaiter(on: condition, after: -1)
        for _ in 0..<n { chosen = firstWaiter(on: condition, after: threads[chosen].ticket) }
        wakeUp(chosen)
        threads[chosen].wasWoken = true
        header.pointee.objects[Int(condition)].count -= 1
    }

    /// The waiter that arrived next after the one with this ticket. There must be one.
    func firstWaiter(on condition: UInt32, after ticket: Int) -> Int {
        var first = -1
        for thread in 0..<header.pointee.scalars.threadCount {
            let state = threads + thread
            guard state.pointee.status == .waiting, state.pointee.operation.object == condition,
                state.pointee.ticket > ticket
            else { continue }
            if first < 0 || state.pointee.ticket < threads[first].ticket { first = thread }
        }
        return first
    }

    /// The wait is over, except for the mutex.
    private func wakeUp(_ thread: Int) {
        threads[thread].status = .waking
        threads[thread].gate = gate(ofMutex: UInt32(threads[thread].operation.a), for: thread)
    }
}
