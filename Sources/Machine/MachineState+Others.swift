import Trace

/// Steps on read-write locks, atomics and threads.
extension MachineState {
    @usableFromInline func readWriteStep(
        _ operation: Operation, _ lock: UnsafeMutablePointer<ObjectState>, by thread: Int
    ) -> StepResult {
        let me = Int32(thread + 1)
        switch operation.kind {
        case .readLock, .tryReadLock, .readLockUntil:
            if canRead(operation.object) {
                addReadHold(operation.object, thread)
                return .done(true)
            }
            if lock.pointee.owner == me && operation.kind != .tryReadLock { return .misuse(.relock) }
            return operation.kind == .readLockUntil ? late(operation.b) : .done(false)
        case .writeLock, .tryWriteLock, .writeLockUntil:
            if canWrite(operation.object) {
                lock.pointee.owner = me
                return .done(true)
            }
            if operation.kind == .tryWriteLock { return .done(false) }
            if lock.pointee.owner == me { return .misuse(.relock) }
            if isOver(operation) { return late(operation.b) }
            threads[thread].status = .queued
            threads[thread].gate = .unclear
            return .blocked
        default:
            if lock.pointee.owner == me {
                lock.pointee.owner = 0
                return .done(1)
            }
            return removeReadHold(operation.object, thread) ? .done(0) : .misuse(.unlockNotOwner)
        }
    }

    @usableFromInline func update(_ object: UnsafeMutablePointer<ObjectState>, _ operation: Operation) -> StepResult {
        let old = object.pointee.value
        if header.pointee.watchCount != 0 { stir(operation.object) }
        switch operation.kind {
        case .exchange: object.pointee.value = operation.a
        case .add: object.pointee.value = old &+ operation.a
        case .bitAnd: object.pointee.value = old & operation.a
        case .bitOr: object.pointee.value = old | operation.a
        case .bitXor: object.pointee.value = old ^ operation.a
        default: if old == operation.a { object.pointee.value = operation.b }
        }
        return .done(old)
    }

    /// Yields whether the target was joined; its value is then in `thread(target).result`.
    @usableFromInline func join(_ operation: Operation, by thread: Int) -> StepResult {
        let target = threads + operation.a
        if operation.a == thread { return .misuse(.joinSelf) }
        if target.pointee.isDetached { return .misuse(.joinDetached) }
        if target.pointee.isJoined { return .misuse(.joinTwice) }
        guard target.pointee.status == .ended else {
            return operation.kind == .joinUntil ? late(operation.b) : .done(false)
        }
        target.pointee.isJoined = true
        return .done(true)
    }

    @usableFromInline func detach(_ target: Int) -> StepResult {
        if threads[target].isJoined { return .misuse(.detachJoined) }
        if threads[target].isDetached { return .misuse(.detachTwice) }
        threads[target].isDetached = true
        return .done()
    }

    /// Marks a thread as detached from birth.
    public func setDetached(_ thread: Int) { threads[thread].isDetached = true }

    /// Whether the object may be destroyed now: nobody holds it, nobody waits on it.
    public func isInUse(_ object: UInt32) -> Bool {
        let state = header.pointee.objects[Int(object)]
        switch state.kind {
        case .normalMutex, .errorCheckingMutex, .recursiveMutex: return state.owner != 0
        case .readersFirstLock, .writersFirstLock: return state.owner != 0 || state.count != 0
        case .condition: return state.count != 0
        default: return false
        }
    }

    @usableFromInline func destroy(_ index: UInt32, _ object: UnsafeMutablePointer<ObjectState>) -> StepResult {
        isInUse(index) ? .misuse(.destroyHeld) : .done()
    }
}
