/// Operations that concern one thread alone or the whole process, and acts that operations of several kinds have in
/// common.
enum Process {
    // MARK: - Operations

    /// The first step of a new thread.
    @inline(always) static var start: Operation.Row {
        Operation.Row(
            .nothing, on: .nothing, canBeUnseen: false, belated: .impossible, graph: .start, verb: "start")
    }
    /// The process exits: every other thread ends where it is (POSIX `exit`).
    @inline(always) static var exit: Operation.Row {
        Operation.Row(
            .everything, on: .everything, canBeUnseen: false, belated: .impossible, graph: .other, verb: "exit")
    }
    /// The main thread looks at all memory at the end of the run. It only reads, but its act `inspecting` counts as a
    /// write of everything, so that every other step is ordered with it.
    @inline(always) static var inspect: Operation.Row {
        Operation.Row(
            .everything, on: .everything, canBeUnseen: false, graph: .other, verb: "look at the end")
    }
    @inline(always) static var yield: Operation.Row {
        Operation.Row(.nothing, on: .nothing, canBeUnseen: false, graph: .other)
    }
    /// Takes one of several alternatives. The first argument is how many there are.
    @inline(always) static var choose: Operation.Row {
        Operation.Row(.nothing, canBeUnseen: false, graph: .choose)
    }
    @inline(always) static var destroy: Operation.Row { Operation.Row(.writesObject, isRelease: true) }

    // MARK: - Acts

    // No event: the runtime itself records that a thread starts.
    @inline(always) static var starting: Act.Row { Act.Row(.nothing, graph: .start) }
    @inline(always) static var exiting: Act.Row { Act.Row(.writesWorld, others: .any, event: .event(.runExit)) }
    @inline(always) static var inspecting: Act.Row { Act.Row(.writesWorld, others: .any) }
    @inline(always) static var yielding: Act.Row { Act.Row(.nothing, event: .event(.threadYield)) }
    @inline(always) static var choosing: Act.Row { Act.Row(.nothing, event: .event(.choice, .result), graph: .choose) }
    @inline(always) static var destroying: Act.Row { Act.Row(.writesObject, others: .any) }
    @inline(always) static var misusing: Act.Row { Act.Row(.misuses, others: .any, event: .event(.misuse, .result)) }
    /// An attempt that did not get the object.
    @inline(always) static var failing: Act.Row {
        Act.Row(.readsObject, finds: .unordered, event: .ofOperation)
    }
    /// A timed attempt whose limit has passed.
    @inline(always) static var failingLate: Act.Row {
        Act.Row(.readsObjectLate, others: .any, finds: .unordered, event: .ofOperation)
    }

    // MARK: - When an object may be destroyed

    static func destroy<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        now.isInUse(operation.object) ? .misuse(.destroyHeld) : .done(.destroy)
    }
}
