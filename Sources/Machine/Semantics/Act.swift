import Trace

/// What a step does: which of the possible effects of its operation occurs. `Rule` decides that.
///
/// Everything else that follows from it is in the act's row (`Row`): what the step touches, what it orders, what it
/// does to other threads, which event it records, and what a thread that cannot take the step yet waits for.
package enum Act: UInt8, Sendable, BitwiseCopyable {
    // The thread itself, the process, the clock
    case start, exit, inspect, yield, choose, awake, readClock

    // Threads
    case spawn, join, detach
    /// The target of a join has not ended; `joinLate`: the time limit has also passed.
    case findAlive, joinLate

    // Mutexes
    /// `takeAgain`: the thread locks a recursive mutex that it holds.
    case take, takeAgain, release
    /// A robust mutex is released because its owner ended.
    case abandon

    // Conditions
    case beginWait
    /// The wait ends without a signal: by its time limit (`leaveLate`) or spuriously (`leaveEarly`). The thread does
    /// not reacquire the mutex yet.
    case leaveLate, leaveEarly
    /// The thread reacquires the mutex.
    case endWait
    case signalNone, wakeOne, wakeAll

    // Semaphores
    case takePermit, givePermit

    // Read-write locks
    case share, unshare, takeToWrite, releaseToWrite, downgrade
    /// The writer waits in the queue, and readers that arrive later wait behind it.
    case queue

    // Memory
    /// `mismatch`: a compare-exchange does not find the expected value. `look`: a read of a semaphore's value.
    case read, write, load, store, update, mismatch, look, append, fence
    /// A weak compare-exchange fails though it finds the expected value: the alternative to `update`.
    case failSpuriously

    case destroy

    /// What the operation asks for is not available; `failLate`: the time limit has also passed.
    case fail, failLate
    /// As `fail` and `failLate`, for a writer, whose attempts do not commute with those of readers.
    case failToWrite, failToWriteLate
    /// The operation is a misuse. The ruling's value is its kind.
    case misuse
}

extension Act {
    /// The act's row, which is in the file of its primitive.
    @inline(always) package var row: Row {
        switch self {
        case .start: Process.starting
        case .exit: Process.exiting
        case .inspect: Process.inspecting
        case .yield: Process.yielding
        case .choose: Process.choosing
        case .destroy: Process.destroying
        case .misuse: Process.misusing
        case .fail: Process.failing
        case .failLate: Process.failingLate
        case .awake: Clock.awaking
        case .readClock: Clock.reading
        case .spawn: Threads.spawning
        case .join: Threads.joining
        case .detach: Threads.detaching
        case .findAlive: Threads.findingAlive
        case .joinLate: Threads.joiningLate
        case .take: Mutexes.taking
        case .takeAgain: Mutexes.takingAgain
        case .release: Mutexes.releasing
        case .abandon: Mutexes.abandoning
        case .beginWait: Conditions.beginning
        case .leaveLate: Conditions.leavingLate
        case .leaveEarly: Conditions.leavingEarly
        case .endWait: Conditions.ending
        case .signalNone: Conditions.signalingNone
        case .wakeOne: Conditions.wakingOne
        case .wakeAll: Conditions.wakingAll
        case .takePermit: Semaphores.taking
        case .givePermit: Semaphores.giving
        case .share: ReadWriteLocks.sharing
        case .unshare: ReadWriteLocks.unsharing
        case .takeToWrite: ReadWriteLocks.taking
        case .releaseToWrite: ReadWriteLocks.releasing
        case .downgrade: ReadWriteLocks.downgrading
        case .queue: ReadWriteLocks.queueing
        case .failToWrite: ReadWriteLocks.failing
        case .failToWriteLate: ReadWriteLocks.failingLate
        case .read: Memory.readingCell
        case .write: Memory.writingCell
        case .load: Memory.loading
        case .store: Memory.storing
        case .update: Memory.updatingAtomic
        case .mismatch: Memory.mismatching
        case .look: Memory.looking
        case .append: Memory.appendingRecord
        case .fence: Memory.fencing
        case .failSpuriously: Memory.failingSpuriously
        }
    }
}

/// How a step changes the machine's words.
extension MachineState {
    /// The ruling on the thread's next step, in the present state.
    @inline(always) package func ruling(on thread: Int) -> Ruling {
        let state = threads + thread
        if let memory = weakMemory, isWeak(thread) { return weakRuling(on: thread, memory) }
        return Rule.ruling(state.pointee.operation, state.pointee.status, of: thread, in: self)
    }

    /// Takes the thread's next step, which must be enabled.
    ///
    /// - Parameter alternative: which of the step's `alternatives` it takes: for example, the waiter that a signal
    ///   wakes, in the order of arrival, or the number that `choose` returns.
    @inline(always) package func step(_ thread: Int, alternative: Int = 0) -> StepResult {
        take(ruling(on: thread, alternative: alternative), thread, alternative)
    }

    /// Takes a step whose ruling is known.
    @inline(always)
    func take(_ ruling: Ruling, _ thread: Int, _ alternative: Int) -> StepResult {
        take(ruling, threads[thread].operation, thread, alternative)
    }

    /// Takes a step whose ruling and operation are known. The frequent acts are inlined here, because a call costs more
    /// than they do.
    @inline(always)
    func take(_ ruling: Ruling, _ operation: Operation, _ thread: Int, _ alternative: Int) -> StepResult {
        let state = threads + thread
        let object = header.pointee.objects.base + Int(operation.object)
        state.pointee.status = .running
        state.pointee.gate = .closed
        switch ruling.act {
        case .take: object.pointee.change(.take, by: thread, to: ruling.word)
        case .release, .abandon: object.pointee.change(.release, by: thread, to: ruling.word)
        case .read, .load, .look:
            // The second argument of a read says how the thread watches; 0: it does not.
            if operation.b != 0 { watch(operation, by: thread) }
        // The second alternative of a weak compare-exchange.
        case .update where alternative != 0: return failSpuriously(operation)
        case .failSpuriously: return failSpuriously(operation)
        case .write, .store, .update:
            if header.pointee.scalars.watchCount != 0 { stir(operation.object, by: thread) }
            object.pointee.change(.store, by: thread, to: ruling.word)
        case .takePermit:
            if header.pointee.scalars.watchCount != 0 { stir(operation.object) }
            object.pointee.change(.takePermit, by: thread, to: ruling.word)
        case .givePermit:
            if header.pointee.scalars.watchCount != 0 { stir(operation.object) }
            object.pointee.change(.givePermit, by: thread, to: ruling.word)
        case .start, .exit, .inspect, .yield, .signalNone, .mismatch, .fail, .failToWrite, .findAlive, .readClock,
            .destroy, .fence:
            break
        case .choose: return StepResult(.done, alternative, .choose)
        case .misuse: return StepResult(.misuse, ruling.value, .misuse)
        case .beginWait: return beginWait(thread)
        case .leaveLate, .leaveEarly: return leaveWait(ruling.act, thread)
        case .endWait: return endWait(thread)
        case .wakeOne: wake(operation.object, waiter: alternative)
        case .wakeAll: wakeAll(on: operation.object)
        case .takeAgain, .takeToWrite, .releaseToWrite, .append:
            object.pointee.change(ruling.act, by: thread, to: ruling.word)
        case .awake, .failLate, .failToWriteLate, .joinLate: reach(operation.b)
        case .share, .unshare, .downgrade:
            object.pointee.change(ruling.act, by: thread, to: ruling.word)
            changeReadHolds(of: operation.object, thread, by: Int(ruling.act.readers))
        case .queue: return queue(thread)
        case .spawn:
            // The seat, if there is one, gets the number of the new thread, plus one.
            if operation.object != 0 { object.pointee.value = threadCount + 1 }
        case .join: noteJoin(operation)
        case .detach: setDetached(Threads.target(of: operation, in: self)!)
        }
        return StepResult(.done, ruling.value, ruling.act)
    }
}

extension ObjectState {
    /// Changes the words of an object as the act of a thread on it does. Waiters, watches, seats, the read holds of
    /// each thread, and the condition and mutex of a wait are changed elsewhere.
    ///
    /// - Parameter word: `Ruling.word`.
    @inline(always) mutating func change(_ act: Act, by thread: Int, to word: Int) {
        switch act {
        case .take:
            owner = Int32(truncatingIfNeeded: thread + 1)
            count = Int32(truncatingIfNeeded: word)
            value += 1
        case .takeAgain: count += 1
        case .release, .abandon:
            count = Int32(truncatingIfNeeded: word)
            // Zero, or the mark on a robust mutex (`ObjectState.Mark`): the mutex is free.
            if word <= 0 { owner = 0 }
        case .write, .store, .update, .append: value = word
        case .takePermit:
            value -= 1
            if value == 0 { owner = Self.noPermit }
        case .givePermit:
            value += 1
            owner = 0
        case .takeToWrite: owner = Int32(truncatingIfNeeded: thread + 1)
        case .releaseToWrite: owner = 0
        case .share, .unshare: count += Int32(act.readers)
        case .downgrade:
            owner = 0
            count += Int32(act.readers)
        case .start, .exit, .inspect, .yield, .choose, .awake, .readClock, .spawn, .join, .detach, .findAlive,
            .joinLate,
            .beginWait, .leaveLate, .leaveEarly, .endWait, .signalNone, .wakeOne, .wakeAll, .queue, .read, .load,
            .mismatch, .look, .fence, .failSpuriously, .destroy, .fail, .failLate, .failToWrite, .failToWriteLate,
            .misuse:
            break
        }
    }
}
