/// Mutexes: normal, error-checking and recursive ones. A thread that ends while it holds a robust mutex leaves a mark
/// on it (`ObjectState.Mark`), which the next thread to lock the mutex finds.
package enum Mutexes {
    // MARK: - Operations

    @inline(always) static var lock: Operation.Row {
        Operation.Row(
            .writesObject, waits: .endless, entrance: .free, lock: .mutex, alwaysWrites: true,
            belated: .returns(Locked.taken), graph: .loadToUpdate)
    }
    @inline(always) static var tryLock: Operation.Row {
        Operation.Row(
            .writesObject, lock: .mutex, belated: .returns(Locked.taken), event: .mutexBusy, graph: .loadToUpdate,
            verb: "try")
    }
    @inline(always) static var lockUntil: Operation.Row {
        Operation.Row(
            .writesObject, waits: .limited, late: .failLate, entrance: .unclear, lock: .mutex,
            belated: .returns(Locked.taken), event: .mutexTimeout)
    }
    @inline(always) static var unlock: Operation.Row {
        Operation.Row(.writesObject, isRelease: true, graph: .loadToUpdate)
    }

    // MARK: - Acts

    @inline(always) static var taking: Act.Row {
        Act.Row(.writesObject, order: .acquires, need: .mutex, event: .event(.mutexAcquire, .word))
    }
    @inline(always) static var takingAgain: Act.Row {
        Act.Row(.writesObject, order: .acquires, event: .event(.mutexAcquire, .word))
    }
    @inline(always) static var releasing: Act.Row {
        Act.Row(.writesObject, order: .publishes, event: .event(.mutexRelease))
    }
    @inline(always) static var abandoning: Act.Row {
        Act.Row(.writesObject, order: .publishes, event: .event(.mutexAbandon))
    }

    // MARK: - The rule

    /// What `lock`, `tryLock` and `lockUntil` return.
    package enum Locked {
        package static let busy = 0
        package static let taken = 1
        /// The thread has the mutex; its previous owner ended without releasing it (POSIX `EOWNERDEAD`).
        package static let ownerDied = 2
        /// No thread can lock the mutex again (POSIX `ENOTRECOVERABLE`).
        package static let never = 3
    }

    /// Whether the thread holds the lock; for a read-write lock, as a writer.
    @inline(always) static func isOwn(_ object: ObjectState, _ thread: Int) -> Bool {
        object.owner == Int32(truncatingIfNeeded: thread + 1)
    }

    @inline(always) static func lock<C: Circumstances>(_ operation: Operation, of thread: Int, in now: C) -> Ruling {
        let mutex = now.object(operation.object)
        if mutex.owner == 0 {
            switch Int(mutex.count) {
            case ObjectState.Mark.ownerDied: return .done(.take, Locked.ownerDied, word: 1)
            case ObjectState.Mark.unusable: return .done(.fail, Locked.never)
            default: return .done(.take, Locked.taken, word: 1)
            }
        }
        if isOwn(mutex, thread) {
            if mutex.kind == .recursiveMutex { return .done(.takeAgain, 1) }
            if mutex.kind == .errorCheckingMutex && operation.kind != .tryLock { return .misuse(.relock) }
        }
        return Rule.without(operation, wanting: .take)
    }

    /// Reduces the mutex's count by one, and adds the mark that the operation carries, if any. A mark is left only on a
    /// robust mutex, which is not recursive, so the new count is then the mark.
    @inline(always) static func unlock<C: Circumstances>(_ operation: Operation, of thread: Int, in now: C) -> Ruling {
        let mutex = now.object(operation.object)
        guard isOwn(mutex, thread) else { return .misuse(.unlockNotOwner) }
        let act = operation.a == ObjectState.Mark.ownerDied ? Act.abandon : .release
        return .done(act, word: Int(mutex.count) - 1 + operation.a)
    }
}
