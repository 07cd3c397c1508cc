/// Conditions. A wait begins with a step (`beginWait`) in which the thread releases the mutex. A signal of another
/// thread ends the wait, or a step of the thread itself: its time limit passes (`leaveLate`) or it wakes up spuriously
/// (`leaveEarly`). In the last step (`endWait`) the thread reacquires the mutex. Only the mutex orders what threads do;
/// a signal does not.
enum Conditions {
    // MARK: - Operations

    @inline(always) static var wait: Operation.Row {
        Operation.Row(
            .writesMutexAndObject, waits: .endless, late: .leaveLate, canBeUnseen: false, belated: .endsByLimit)
    }
    @inline(always) static var signal: Operation.Row {
        Operation.Row(.writesObject, isRelease: true, event: .conditionSignal)
    }
    @inline(always) static var broadcast: Operation.Row {
        Operation.Row(.writesObject, isRelease: true, event: .conditionBroadcast)
    }

    // MARK: - Acts

    @inline(always) static var beginning: Act.Row {
        Act.Row(.writesMutexAndObject, order: .publishesMutex, event: .event(.conditionWait, .argument))
    }
    @inline(always) static var leavingLate: Act.Row {
        Act.Row(.leavesWait, others: .any, finds: .unordered, need: .signal)
    }
    // `finds` is `ordered`: the step finds that no signal has come and that the budget of spurious wake-ups is not used
    // up. Both are still so in an execution from which the steps that are not ordered before it were left out.
    @inline(always) static var leavingEarly: Act.Row {
        Act.Row(.leavesWaitEarly, others: .any, isWaiting: true)
    }
    @inline(always) static var ending: Act.Row {
        Act.Row(
            .writesMutex, order: .acquiresMutex, need: .mutexOfWait,
            event: .byResult(.conditionWake, .conditionTimeout, .argument))
    }
    @inline(always) static var signalingNone: Act.Row {
        Act.Row(.readsObject, finds: .orderedByMutex, event: .ofOperation)
    }
    @inline(always) static var wakingOne: Act.Row {
        Act.Row(.writesObject, others: .waiter, finds: .orderedByMutex, event: .ofOperation)
    }
    @inline(always) static var wakingAll: Act.Row {
        Act.Row(.writesObject, others: .waiters, finds: .orderedByMutex, event: .ofOperation)
    }

    // MARK: - The rule

    static func wait<C: Circumstances>(_ operation: Operation, of thread: Int, in now: C) -> Ruling {
        guard Mutexes.isOwn(now.object(mutex(of: operation)), thread) else { return .misuse(.waitNotOwner) }
        let condition = now.object(operation.object)
        guard condition.count == 0 || condition.value == operation.a else { return .misuse(.waitOtherMutex) }
        return .done(.beginWait)
    }

    /// A wait that no signal has ended can end spuriously.
    static func leaving<C: Circumstances>(in now: C) -> Ruling {
        now.mayWakeSpuriously ? .done(.leaveEarly) : .blocked(.leaveLate)
    }

    /// A wait that has ended: the thread reacquires the mutex when it can.
    @inline(always) static func returning<C: Circumstances>(
        _ operation: Operation, of thread: Int, in now: C
    ) -> Ruling {
        let mutex = now.object(mutex(of: operation))
        // The thread may still hold the mutex: one that is recursive, and was locked more than once before the wait.
        return mutex.owner == 0 || Mutexes.isOwn(mutex, thread) ? .done(.endWait) : .blocked(.endWait)
    }

    /// - Parameter act: what the signal does if it finds a waiter.
    @inline(always) static func signal<C: Circumstances>(_ operation: Operation, _ act: Act, in now: C) -> Ruling {
        .done(now.object(operation.object).count > 0 ? act : .signalNone)
    }

    @inline(always) static func mutex(of wait: Operation) -> UInt32 { UInt32(truncatingIfNeeded: wait.a) }
}

// MARK: - The changes of words

extension MachineState {
    func beginWait(_ thread: Int) -> StepResult {
        let state = threads + thread
        let wait = state.pointee.operation
        let condition = header.pointee.objects.base + Int(wait.object)
        let mutex = header.pointee.objects.base + wait.a
        condition.pointee.value = wait.a
        condition.pointee.count += 1
        header.pointee.traits.insert(.waits)
        let mayEnd = wait.b != Operation.never || header.pointee.scalars.spuriousBudget > 0
        state.pointee.status = .waiting
        state.pointee.gate = mayEnd ? .unclear : .closed
        state.pointee.wasWoken = false
        state.pointee.ticket = header.pointee.scalars.nextTicket
        header.pointee.scalars.nextTicket += 1
        // As in POSIX, a wait unlocks once: a recursive mutex that is locked more than once stays locked.
        mutex.pointee.count -= 1
        if mutex.pointee.count == 0 { mutex.pointee.owner = 0 }
        return StepResult(.blocked, 0, .beginWait)
    }

    /// The wait ends without a signal. This step does not need the mutex: a signal that comes while the thread waits
    /// for its mutex goes to another waiter.
    func leaveWait(_ act: Act, _ thread: Int) -> StepResult {
        let wait = threads[thread].operation
        header.pointee.objects[Int(wait.object)].count -= 1
        if act == .leaveLate { reach(wait.b) } else { header.pointee.scalars.spuriousBudget -= 1 }
        threads[thread].wasWoken = act == .leaveEarly
        wakeUp(thread)
        return StepResult(.blocked, 0, act)
    }

    func endWait(_ thread: Int) -> StepResult {
        let mutex = header.pointee.objects.base + threads[thread].operation.a
        mutex.pointee.owner = Int32(thread + 1)
        mutex.pointee.count += 1
        mutex.pointee.value += 1
        return StepResult(.done, threads[thread].wasWoken ? 1 : 0, .endWait)
    }

    /// Wakes the waiter number `n`, from 0, in the order of arrival. It continues when it has reacquired its mutex.
    func wake(_ condition: UInt32, waiter n: Int) {
        var chosen = firstWaiter(on: condition, after: -1)
        for _ in 0..<n { chosen = firstWaiter(on: condition, after: threads[chosen].ticket) }
        wakeUp(chosen)
        threads[chosen].wasWoken = true
        header.pointee.objects[Int(condition)].count -= 1
    }

    func wakeAll(on condition: UInt32) {
        while header.pointee.objects[Int(condition)].count > 0 { wake(condition, waiter: 0) }
    }

    /// The next waiter in the order of arrival after the one with this ticket; with −1, the first waiter. There must be
    /// one.
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

    /// Ends the wait; the thread then waits for its mutex.
    private func wakeUp(_ thread: Int) {
        threads[thread].status = .waking
        threads[thread].gate = gate(ofMutex: UInt32(threads[thread].operation.a), for: thread)
    }

    /// Whether the thread is in a wait on a condition that has not been ended.
    @inline(always) package func isWaiting(_ thread: Int) -> Bool { threads[thread].status == .waiting }

    /// Whether the thread's wait on a condition has been ended, so that it waits for its mutex.
    package func isWaking(_ thread: Int) -> Bool { threads[thread].status == .waking }

    /// The threads in a wait on the condition, in the order of arrival: the alternatives of a signal.
    package func waiters(on condition: UInt32) -> [Int] {
        (0..<threadCount).filter { isWaiting($0) && threads[$0].operation.object == condition }
            .sorted { threads[$0].ticket < threads[$1].ticket }
    }
}
