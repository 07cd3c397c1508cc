/// Starting, joining and detaching threads. A declared thread of a `.lab` program that other threads start has a seat:
/// an object that holds the thread's number plus one once the thread has been started, and 0 before.
package enum Threads {
    // MARK: - Operations

    @inline(always) static var spawn: Operation.Row {
        Operation.Row(.writesThread, on: .thread, belated: .impossible, graph: .spawn)
    }
    @inline(always) static var join: Operation.Row {
        Operation.Row(
            .writesThread, on: .thread, waits: .endless, entrance: .unclear, canBeUnseen: false, belated: .returns(1),
            graph: .join)
    }
    @inline(always) static var tryJoin: Operation.Row {
        Operation.Row(.writesThread, on: .thread, canBeUnseen: false, verb: "join")
    }
    @inline(always) static var joinUntil: Operation.Row {
        Operation.Row(
            .writesThread, on: .thread, waits: .limited, late: .joinLate, entrance: .unclear, canBeUnseen: false,
            verb: "join")
    }
    @inline(always) static var detach: Operation.Row {
        Operation.Row(.writesThread, on: .thread, belated: .returns(1))
    }

    // MARK: - Acts

    // No event: the runtime itself records that a thread is created.
    @inline(always) static var spawning: Act.Row { Act.Row(.addsThread, others: .any, graph: .spawn) }
    @inline(always) static var joining: Act.Row {
        Act.Row(
            .writesThread, order: .joins, others: .target, need: .threadEnd, event: .event(.threadJoin, .target),
            graph: .join)
    }
    @inline(always) static var detaching: Act.Row {
        Act.Row(.writesThread, others: .any, event: .event(.threadDetach, .target))
    }
    @inline(always) static var findingAlive: Act.Row { Act.Row(.readsThread, others: .any, finds: .unordered) }
    @inline(always) static var joiningLate: Act.Row { Act.Row(.readsThreadLate, others: .any, finds: .unordered) }

    // MARK: - The rule

    /// The operation returns whether a thread can be started: without a seat always, with one only once.
    static func spawn<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        operation.object == 0 || now.object(operation.object).value == 0 ? .done(.spawn, 1) : .done(.fail)
    }

    /// The operation returns whether the target was joined. A join through an empty seat fails: with −1 if it has a
    /// time limit, because 0 means that the limit has passed.
    static func join<C: Circumstances>(_ operation: Operation, of thread: Int, in now: C) -> Ruling {
        guard let target = target(of: operation, in: now) else {
            return .done(.fail, operation.kind == .joinUntil ? -1 : 0)
        }
        if target == thread { return .misuse(.joinSelf) }
        switch now.life(of: target) {
        case .detached: return .misuse(.joinDetached)
        case .joined: return .misuse(.joinTwice)
        case .ended: return .done(.join, 1)
        case .alive: break
        }
        return operation.kind.patience == .none ? .done(.findAlive) : .blocked(.join)
    }

    /// The operation returns whether the target is detached now. A detach through an empty seat fails.
    static func detach<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        guard let target = target(of: operation, in: now) else { return .done(.fail) }
        switch now.life(of: target) {
        case .joined: return .misuse(.detachJoined)
        case .detached: return .misuse(.detachTwice)
        case .alive, .ended: return .done(.detach, 1)
        }
    }

    /// The thread that the operation concerns. Nil: no thread has been started through its seat.
    package static func target<C: Circumstances>(of operation: Operation, in now: C) -> Int? {
        if operation.object == 0 { return operation.a }
        let seat = now.object(operation.object).value
        return seat == 0 ? nil : seat - 1
    }
}

// MARK: - The changes of words

extension MachineState {
    func noteJoin(_ operation: Operation) {
        let target = Threads.target(of: operation, in: self)!
        threads[target].isJoined = true
        openGates(to: target)
    }

    /// The gate of a thread that will join the target.
    func gate(toJoin target: Int, _ thread: Int) -> Gate {
        target == thread || threads[target].isSettled ? .open : .thread(target)
    }

    /// Opens the gates of the threads that join the target, because the result of a join is now decided.
    func openGates(to target: Int) {
        for thread in 0..<threadCount where threads[thread].gate.thread == target { threads[thread].gate = .open }
    }

    package func life(of thread: Int) -> ThreadLife { threads[thread].life }
}
