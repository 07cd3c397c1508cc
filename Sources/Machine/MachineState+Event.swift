import Trace

/// What traces call the machine's steps: the words of the native runtime.
extension MachineState {
    /// The event that a step was which the thread has just taken, with its value. Nil for a step that leaves none, or one that its
    /// caller tells of itself.
    package func event(
        of operation: Operation, _ result: StepResult, by thread: Int
    ) -> (kind: EventKind, value: Int)? {
        if let misuse = result.misuse { return (.misuse, Int(misuse.rawValue)) }
        if result.status == .blocked { return isWaiting(thread) ? (.conditionWait, operation.a) : nil }
        let succeeded = result.value != 0
        switch operation.kind {
        case .start, .spawn: return nil
        case .exit: return (.runExit, 0)
        case .join: return (.threadJoin, operation.a)
        case .tryJoin, .joinUntil: return succeeded ? (.threadJoin, operation.a) : nil
        case .detach: return (.threadDetach, operation.a)
        case .yield: return (.threadYield, 0)
        case .sleepUntil: return (.threadAwake, 0)
        case .lock: return (.mutexAcquire, object(operation.object).value)
        case .tryLock: return succeeded ? (.mutexAcquire, object(operation.object).value) : (.mutexBusy, 0)
        case .lockUntil: return succeeded ? (.mutexAcquire, object(operation.object).value) : (.mutexTimeout, 0)
        case .unlock: return (.mutexRelease, 0)
        case .wait: return (succeeded ? .conditionWake : .conditionTimeout, operation.a)
        case .signal: return (.conditionSignal, 0)
        case .broadcast: return (.conditionBroadcast, 0)
        case .semaphoreWait: return (.semaphoreAcquire, 0)
        case .semaphoreTryWait: return (succeeded ? .semaphoreAcquire : .semaphoreBusy, 0)
        case .semaphoreWaitUntil: return (succeeded ? .semaphoreAcquire : .semaphoreTimeout, 0)
        case .semaphoreSignal: return (.semaphoreSignal, 0)
        case .semaphoreValue: return nil
        case .readLock: return (.readAcquire, 0)
        case .tryReadLock: return (succeeded ? .readAcquire : .lockBusy, 0)
        case .readLockUntil: return (succeeded ? .readAcquire : .lockTimeout, 0)
        case .writeLock: return (.writeAcquire, 0)
        case .tryWriteLock: return (succeeded ? .writeAcquire : .lockBusy, 0)
        case .writeLockUntil: return (succeeded ? .writeAcquire : .lockTimeout, 0)
        case .unlockShared: return (succeeded ? .writeRelease : .readRelease, 0)
        case .load: return (.atomicLoad, result.value)
        case .store: return (.atomicStore, operation.a)
        case .exchange, .add, .bitAnd, .bitOr, .bitXor: return (.atomicUpdate, object(operation.object).value)
        case .compareExchange:
            return result.value == operation.a ? (.atomicUpdate, operation.b) : (.atomicMismatch, result.value)
        case .read: return (.cellRead, result.value)
        case .write: return (.cellWrite, operation.a)
        case .append: return (.fileAppend, operation.a)
        case .destroy: return nil
        case .choose: return (.choice, result.value)
        }
    }
}
