import Trace

/// What the machine's steps and waits are called in traces: the same names as in the native runtime.
extension MachineState {
    /// The event of the step that the thread has just taken, with its object and value. Nil if it has none, or the
    /// runtime records it itself.
    package func event(
        of operation: Operation, _ result: StepResult, by thread: Int
    ) -> (kind: EventKind, object: UInt32, value: Int)? {
        guard let (kind, value) = kindAndValue(of: operation, result) else { return nil }
        // The object of an operation on a thread is its seat, which no trace shows.
        return (kind, operation.kind.isOnThread ? 0 : operation.object, value)
    }

    private func kindAndValue(of operation: Operation, _ result: StepResult) -> (EventKind, Int)? {
        switch result.act {
        case .start, .inspect, .spawn, .queue, .leaveLate, .leaveEarly, .findAlive, .joinLate, .look, .readClock,
            .destroy:
            nil
        case .misuse: (.misuse, result.value)
        case .exit: (.runExit, 0)
        case .yield: (.threadYield, 0)
        case .awake: (.threadAwake, 0)
        case .choose: (.choice, result.value)
        case .join: (.threadJoin, target(of: operation))
        case .detach: (.threadDetach, target(of: operation))
        case .take, .takeAgain: (.mutexAcquire, object(operation.object).value)
        case .release: (.mutexRelease, 0)
        case .beginWait: (.conditionWait, operation.a)
        case .endWait: (result.value != 0 ? .conditionWake : .conditionTimeout, operation.a)
        case .signalNone, .wakeOne, .wakeAll:
            (operation.kind == .signal ? .conditionSignal : .conditionBroadcast, 0)
        case .takePermit: (.semaphoreAcquire, 0)
        case .givePermit: (.semaphoreSignal, 0)
        case .share: (.readAcquire, 0)
        case .unshare: (.readRelease, 0)
        case .takeToWrite: (.writeAcquire, 0)
        case .releaseToWrite: (.writeRelease, 0)
        case .read: (.cellRead, result.value)
        case .write: (.cellWrite, operation.a)
        case .load: (.atomicLoad, result.value)
        case .store: (.atomicStore, operation.a)
        case .update: (.atomicUpdate, object(operation.object).value)
        case .mismatch: (.atomicMismatch, result.value)
        case .append: (.fileAppend, operation.a)
        case .fail, .failToWrite, .failLate, .failToWriteLate: failure(of: operation.kind).map { ($0, 0) }
        }
    }

    private func failure(of kind: Operation.Kind) -> EventKind? {
        switch kind {
        case .tryLock: .mutexBusy
        case .lockUntil: .mutexTimeout
        case .semaphoreTryWait: .semaphoreBusy
        case .semaphoreWaitUntil: .semaphoreTimeout
        case .tryReadLock, .tryWriteLock: .lockBusy
        case .readLockUntil, .writeLockUntil: .lockTimeout
        default: nil
        }
    }

    /// The event of the step that the thread would take now; of a thread that is blocked, of the step that it waits for.
    /// Nil if the step has none, or its value is not known before.
    package func nextEvent(of thread: Int) -> (kind: EventKind, object: UInt32, value: Int)? {
        let ruling = ruling(on: thread)
        let operation = threads[thread].operation
        if ruling.act == .start { return (.threadStart, 0, 0) }
        guard let event = event(of: operation, StepResult(.done, ruling.value, ruling.act), by: thread) else {
            return nil
        }
        let readsLater = ruling.isBlocked && (ruling.act == .read || ruling.act == .load)
        if ruling.act == .choose || readsLater { return (event.kind, event.object, Int(Event.noNumber)) }
        return ruling.act == .update ? (event.kind, event.object, ruling.word) : event
    }

    /// The event with which a thread that cannot step begins to wait. Nil: it does not wait, or its last step has
    /// recorded that it does.
    package func waitEvent(of thread: Int) -> (kind: EventKind, object: UInt32, value: Int)? {
        let ruling = ruling(on: thread)
        let operation = threads[thread].operation
        guard ruling.isBlocked, threads[thread].status != .running, threads[thread].status != .ended else { return nil }
        return switch ruling.act {
        case .take: (.mutexWait, operation.object, 0)
        case .endWait: (.mutexWait, UInt32(operation.a), 0)
        case .share: (.readWait, operation.object, 0)
        case .takeToWrite: (.writeWait, operation.object, 0)
        case .takePermit: (.semaphoreWait, operation.object, 0)
        case .join: (.threadJoinWait, 0, target(of: operation))
        case .read, .load, .look: (operation.isSpinning ? .memorySpin : .memoryWait, operation.object, 0)
        case .awake: (.threadSleep, 0, operation.a > 0 ? operation.a : operation.b - time)
        default: nil
        }
    }

    private func target(of operation: Operation) -> Int { Rule.target(of: operation, in: self) ?? 0 }
}
