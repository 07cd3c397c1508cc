/// Read-write locks, of two kinds. If readers come first (glibc's default), only a writer that holds the lock keeps
/// readers out. If writers come first, a waiting writer does too.
enum ReadWriteLocks {
    // MARK: - Operations

    @inline(always) static var readLock: Operation.Row {
        Operation.Row(
            .readsObject, waits: .endless, entrance: .unclear, lock: .reading, canBeUnseen: false,
            belated: .returns(Mutexes.Locked.taken), graph: .loadToUpdate)
    }
    @inline(always) static var tryReadLock: Operation.Row {
        Operation.Row(
            .readsObject, lock: .reading, belated: .returns(Mutexes.Locked.taken), event: .lockBusy,
            graph: .loadToUpdate, verb: "try")
    }
    @inline(always) static var readLockUntil: Operation.Row {
        Operation.Row(
            .readsObject, waits: .limited, late: .failLate, entrance: .unclear, lock: .reading, canBeUnseen: false,
            belated: .returns(Mutexes.Locked.taken), event: .lockTimeout)
    }
    @inline(always) static var writeLock: Operation.Row {
        Operation.Row(
            .writesObject, waits: .endless, entrance: .unclear, lock: .writing, canBeUnseen: false,
            belated: .returns(Mutexes.Locked.taken), graph: .loadToUpdate)
    }
    @inline(always) static var tryWriteLock: Operation.Row {
        Operation.Row(
            .writesObject, lock: .writing, belated: .returns(Mutexes.Locked.taken), event: .lockBusy,
            graph: .loadToUpdate, verb: "try")
    }
    @inline(always) static var writeLockUntil: Operation.Row {
        Operation.Row(
            .writesObject, waits: .limited, late: .failToWriteLate, entrance: .unclear, lock: .writing,
            canBeUnseen: false, belated: .returns(Mutexes.Locked.taken), event: .lockTimeout)
    }
    @inline(always) static var unlock: Operation.Row {
        Operation.Row(.writesObject, isRelease: true, graph: .loadToUpdate, verb: "unlock")
    }

    /// The writer becomes a reader, without another writer in between. POSIX has no such call.
    @inline(always) static var downgrade: Operation.Row {
        Operation.Row(.writesObject, isRelease: true, graph: .loadToUpdate)
    }

    // MARK: - Acts

    // Operations of readers commute, so they count as reads of the lock.
    @inline(always) static var sharing: Act.Row {
        Act.Row(.readsObject, order: .acquires, need: .reading, readers: 1, event: .event(.readAcquire))
    }
    @inline(always) static var unsharing: Act.Row {
        Act.Row(.readsObject, order: .publishesToWriters, readers: -1, event: .event(.readRelease))
    }
    @inline(always) static var taking: Act.Row {
        Act.Row(.writesObject, order: .acquiresFromReaders, need: .writing, event: .event(.writeAcquire))
    }
    @inline(always) static var releasing: Act.Row {
        Act.Row(.writesObject, order: .publishes, event: .event(.writeRelease))
    }
    @inline(always) static var downgrading: Act.Row {
        Act.Row(.writesObject, order: .publishes, readers: 1, event: .event(.lockDowngrade))
    }
    @inline(always) static var queueing: Act.Row { Act.Row(.writesObject, isWaiting: true) }
    @inline(always) static var failing: Act.Row {
        Act.Row(.writesObject, finds: .unordered, event: .ofOperation)
    }
    @inline(always) static var failingLate: Act.Row {
        Act.Row(.writesObjectLate, others: .any, finds: .unordered, event: .ofOperation)
    }

    // MARK: - The rule

    static func readLock<C: Circumstances>(_ operation: Operation, of thread: Int, in now: C) -> Ruling {
        if now.letsReadersIn(operation.object) { return .done(.share, 1) }
        if operation.kind != .tryReadLock && Mutexes.isOwn(now.object(operation.object), thread) {
            return .misuse(.relock)
        }
        return Rule.without(operation, wanting: .share)
    }

    /// - Parameter isQueued: whether the writer is in the lock's queue already.
    static func writeLock<C: Circumstances>(
        _ operation: Operation, isQueued: Bool, of thread: Int, in now: C
    ) -> Ruling {
        let lock = now.object(operation.object)
        if lock.owner == 0 && lock.count == 0 { return .done(.takeToWrite, 1) }
        if operation.kind == .tryWriteLock { return .done(.failToWrite) }
        if Mutexes.isOwn(lock, thread) { return .misuse(.relock) }
        return !isQueued && lock.kind == .writersFirstLock ? .done(.queue) : .blocked(.takeToWrite)
    }

    /// The operation returns 1 if the thread held the lock as a writer, 0 if it held it as a reader.
    static func unlock<C: Circumstances>(_ operation: Operation, of thread: Int, in now: C) -> Ruling {
        if Mutexes.isOwn(now.object(operation.object), thread) { return .done(.releaseToWrite, 1) }
        return now.holdsToRead(operation.object, thread) ? .done(.unshare) : .misuse(.unlockNotOwner)
    }

    static func downgrade<C: Circumstances>(_ operation: Operation, of thread: Int, in now: C) -> Ruling {
        Mutexes.isOwn(now.object(operation.object), thread) ? .done(.downgrade) : .misuse(.unlockNotOwner)
    }
}

extension MachineState {
    /// Whether a reader that arrives now gets the lock.
    package func letsReadersIn(_ lock: UInt32) -> Bool {
        let words = header.pointee.objects[Int(lock)]
        guard words.owner == 0 else { return false }
        guard words.kind == .writersFirstLock else { return true }
        return !(0..<header.pointee.scalars.threadCount).contains { other in
            threads[other].status == .queued && threads[other].operation.object == lock
        }
    }

    package func holdsToRead(_ lock: UInt32, _ thread: Int) -> Bool { readHold(lock, thread) != nil }

    /// The writer enters the lock's queue, and keeps new readers out from then on.
    func queue(_ thread: Int) -> StepResult {
        threads[thread].status = .queued
        threads[thread].gate = .unclear
        return StepResult(.blocked, 0, .queue)
    }
}
