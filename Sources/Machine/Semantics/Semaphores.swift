/// Counting semaphores. A semaphore without a permit has the owner −1, so that a waiting thread has the same kind of
/// gate as one that waits for a mutex: it is open while the object has no owner.
enum Semaphores {
    // MARK: - Operations

    @inline(always) static var wait: Operation.Row {
        Operation.Row(
            .writesObject, waits: .endless, entrance: .free, alwaysWrites: true, belated: .returns(1),
            graph: .loadToUpdate, verb: "take")
    }
    @inline(always) static var tryWait: Operation.Row {
        Operation.Row(.writesObject, event: .semaphoreBusy, graph: .loadToUpdate, verb: "take")
    }
    @inline(always) static var waitUntil: Operation.Row {
        Operation.Row(
            .writesObject, waits: .limited, late: .failLate, entrance: .unclear, event: .semaphoreTimeout,
            verb: "take")
    }
    @inline(always) static var signal: Operation.Row {
        Operation.Row(.writesObject, isRelease: true, alwaysWrites: true, graph: .loadToUpdate, verb: "signal")
    }
    @inline(always) static var value: Operation.Row {
        Operation.Row(
            .readsObject, waits: .endless, isLook: true, belated: .works, graph: .loadToUpdate, verb: "read")
    }

    // MARK: - Acts

    @inline(always) static var taking: Act.Row {
        Act.Row(.writesObject, order: .acquires, others: .watchers, need: .permit, event: .event(.semaphoreAcquire))
    }
    @inline(always) static var giving: Act.Row {
        Act.Row(.writesObject, order: .addsToPublished, others: .watchers, event: .event(.semaphoreSignal))
    }

    // MARK: - The rule

    @inline(always) static func wait<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        if now.object(operation.object).value > 0 { return .done(.takePermit, 1) }
        return Rule.without(operation, wanting: .takePermit)
    }

    @inline(always) static func signal<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        now.object(operation.object).value < Int(Int32.max) ? .done(.givePermit) : .misuse(.semaphoreOverflow)
    }
}
