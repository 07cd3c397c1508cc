/// The state of a lock or semaphore in a search of graphs, packed into one word. Each step that changes the object is
/// an update of its word, so the steps on an object are in one order, as on the machine.
///
/// As on the machine, `Rule` decides what a step does in the state for which the word stands, and `ObjectState.change`
/// what it leaves.
///
/// The word of a semaphore is its value. That of a mutex has the owner plus one in bits 0 to 7, and the lock count
/// above. That of a read-write lock has three bits for each of 16 threads, then 8 bits for the owner plus one, then the
/// number of queued writers.
package struct ObjectWord {
    private var state: ObjectState
    /// For a read-write lock: how often each thread holds it to read, three bits each.
    private var holds = 0
    /// For a read-write lock: the number of writers in its queue.
    private var queue = 0

    private static let bitsOfHolds = 3
    /// The greatest number that these bits can hold.
    private static let mostHolds = 7
    private static let ownerShift = bitsOfHolds * ExecutionGraph.mostThreads
    private static let allHolds = (1 << ownerShift) - 1
    private static let bitsOfOwner = 8
    /// The owner's bits, shifted down.
    private static let ownerMask = (1 << bitsOfOwner) - 1
    private static let queueShift = ownerShift + bitsOfOwner
    /// Where the lock count of a mutex begins.
    private static let countShift = bitsOfOwner

    /// The second argument of a writer's operation once the writer is in the queue.
    package static let queued = 1

    private init(_ word: Int, of kind: ObjectState.Kind) {
        state = ObjectState(kind: kind)
        switch kind {
        case .semaphore: state.value = word
        case .normalMutex, .errorCheckingMutex, .recursiveMutex:
            state.owner = Int32(truncatingIfNeeded: word & Self.ownerMask)
            state.count = Int32(truncatingIfNeeded: word >> Self.countShift)
        case .readersFirstLock, .writersFirstLock:
            holds = word & Self.allHolds
            state.owner = Int32(truncatingIfNeeded: word >> Self.ownerShift & Self.ownerMask)
            // Not the number of holds: the rule asks only whether there is any.
            state.count = holds == 0 ? 0 : 1
            queue = word >> Self.queueShift
        case .condition, .atomic, .cell, .file, .counted, .seat, .other:
            preconditionFailure("its steps are no updates of one word")
        }
    }

    /// The word of a mutex.
    ///
    /// - Parameter thread: the thread that holds it. Nil: it is free.
    package static func mutex(heldBy thread: Int?) -> Int { thread.map { 1 << countShift | ($0 + 1) } ?? 0 }

    private var word: Int {
        switch state.kind {
        case .semaphore: state.value
        case .normalMutex, .errorCheckingMutex, .recursiveMutex: Int(state.count) << Self.countShift | Int(state.owner)
        case .readersFirstLock, .writersFirstLock:
            queue << Self.queueShift | Int(state.owner) << Self.ownerShift | holds
        case .condition, .atomic, .cell, .file, .counted, .seat, .other:
            preconditionFailure("its steps are no updates of one word")
        }
    }

    /// What a step does, and the word that it leaves. `word` is nil if the step changes nothing, or if the word would
    /// be overfull: it has no room for another hold of a reader.
    package typealias Step = (ruling: Ruling, word: Int?, isOverfull: Bool)

    @inline(always) private func ruling(on operation: Operation, by thread: Int) -> Ruling {
        Rule.announced(operation, isQueued: operation.b == Self.queued, of: thread, in: self)
    }

    /// Whether the operation is blocked as long as the object has this word.
    package static func blocks(
        _ operation: Operation, _ kind: ObjectState.Kind, by thread: Int, finding word: Int
    ) -> Bool {
        Self(word, of: kind).ruling(on: operation, by: thread).isBlocked
    }

    /// What the operation does if it finds this word.
    package static func step(
        _ operation: Operation, _ kind: ObjectState.Kind, by thread: Int, finding word: Int
    ) -> Step {
        Self(word, of: kind).step(operation, by: thread)
    }

    @inline(always) private func step(_ operation: Operation, by thread: Int) -> Step {
        let ruling = ruling(on: operation, by: thread)
        if ruling.isBlocked || ruling.act == .misuse { return (ruling, nil, false) }
        let readers = Int(ruling.act.readers)
        let shift = thread * Self.bitsOfHolds
        if readers > 0 && holds >> shift & Self.mostHolds == Self.mostHolds { return (ruling, nil, true) }
        var after = self
        after.state.change(ruling.act, by: thread, to: ruling.word)
        after.holds += readers << shift
        if ruling.act.row.isWaiting {
            after.queue += 1
        } else if operation.kind.isWriteLock && operation.b == Self.queued {
            after.queue -= 1
        }
        let (old, new) = (word, after.word)
        return (ruling, old == new ? nil : new, false)
    }
}

extension ObjectWord: TimedCircumstances {
    package func object(_ number: UInt32) -> ObjectState { state }
    package func letsReadersIn(_ lock: UInt32) -> Bool {
        state.owner == 0 && (state.kind == .readersFirstLock || queue == 0)
    }
    package func holdsToRead(_ lock: UInt32, _ thread: Int) -> Bool {
        holds >> (thread * Self.bitsOfHolds) & Self.mostHolds > 0
    }
    package func isInUse(_ object: UInt32) -> Bool { preconditionFailure("no graph has the end of an object") }
    package func life(of thread: Int) -> ThreadLife { .alive }
    package func isStirred(_ thread: Int) -> Bool { false }
    package var mayWakeSpuriously: Bool { false }
    package var mayTimeOut: Bool { false }
    package var time: Int { 0 }
}

extension Operation {
    /// Whether it may have to wait for another word of its object, a lock or a semaphore. On a lock with writers first,
    /// a writer's first step does not wait: it enters the queue.
    package func waits(on object: ObjectState.Kind) -> Bool {
        if kind.isWriteLock && object == .writersFirstLock && b != ObjectWord.queued { return false }
        return kind.patience == .endless && !kind.isLook
    }
}
