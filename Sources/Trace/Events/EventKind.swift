/// What happened. Traces and saved traces use the dotted name; its meaning never changes.
///
/// A kind that ends in `-wait` (and `condition.wait`) says that the thread is blocked from here on, until its next
/// event.
package enum EventKind: UInt8, CaseIterable, Sendable {
    // Threads
    case threadCreate, threadStart, threadExit, threadJoinWait, threadJoin, threadDetach, threadYield
    case threadSleep, threadAwake, threadError, threadCutOff
    /// The new thread is detached from the beginning.
    case threadCreateDetached
    /// The thread's body is over, and it runs what was registered for its end.
    case threadWillExit
    /// The thread kills another one; and the thread was killed: it ends where it is, and cleans nothing up.
    case threadKill, threadKilled
    /// The thread's next wait ends after this time at the latest. A wait without such an event may last forever.
    case threadDeadline
    /// The thread's next lock is one that it would not have waited for, or not forever.
    case threadTry
    case threadPriority
    /// A thread that does not belong to the run was about to use the object, and was refused.
    case threadForeign
    /// The thread has done what it loops for.
    case threadProgress

    // Locks
    case mutexWait, mutexAcquire, mutexBusy, mutexTimeout, mutexRelease
    case readWait, writeWait, readAcquire, writeAcquire, lockBusy, lockTimeout, readRelease, writeRelease

    // Waiting for each other
    case conditionWait, conditionWake, conditionTimeout, conditionSignal, conditionBroadcast
    case semaphoreWait, semaphoreAcquire, semaphoreBusy, semaphoreTimeout, semaphoreSignal

    // Memory
    case atomicLoad, atomicStore, atomicUpdate, atomicMismatch
    case cellRead, cellWrite
    /// The thread found that a condition does not hold, and waits until something that it read is written.
    case memoryWait
    /// The same, in a loop that keeps a processor busy: the thread spins.
    case memorySpin
    case slotSet, slotDestroy
    case dictionarySet, dictionaryGet

    // Built on top
    case queuePut, queueTake
    /// A block is queued; the number of blocks that have not begun.
    case queueAsync
    case queueSuspend, queueResume
    /// A thread that was created is a worker of a pool: it does nothing but run blocks of queues.
    case queueServe
    case operationFinish, operationCancel
    case conditionLockAcquire, conditionLockRelease
    /// The same, where the program has named the condition.
    case conditionLockAcquireNamed, conditionLockReleaseNamed
    case loopEntry, loopBeforeTimers, loopBeforeSources, loopBeforeWaiting, loopAfterWaiting, loopExit, loopWakeUp
    case sourceSchedule, sourceSignal, sourcePerform, sourceCancel
    /// The thread's innermost pool will release the object.
    case objectAutorelease
    /// The thread has released the last reference, and runs what the object does at its end.
    case objectEnd
    case timerFire, observerCall, performQueue, performCall, portSend, portReceive
    case fileAppend
    case distributedLockAcquire, distributedLockBusy, distributedLockRelease, distributedLockBreak
    case processStart, processKill, processEnd
    /// The thread sends the signal; it begins and ends a handler; it takes the signal by waiting for it.
    case signalSend, signalHandler, signalHandled, signalTake

    // The scenario's own words and figures, and what goes wrong
    case choice, note
    case meterCount, meterBytes, meterTime
    /// The run has ended in a state that some run is expected to end in.
    case stateSeen
    case assertionFailed, noProgress, misuse
    /// A claim about the run does not hold; and one that the program itself calls broken.
    case claimFailed, claimBroken

    // The run as a whole
    case runExit, runComplete, runTimeout, runStepLimit, runCycle, runStarvation, runForever, runCrash, runKilled,
        runQuit, runInterrupted,
        runDiverged

    /// The meaning of the event's `value`.
    package enum Meaning: Sendable {
        /// The value has no meaning.
        case none
        case number
        /// A number that is not shown if it is 0: a thread's result.
        case result
        /// The number of the acquisition, counted by object: it keeps the order between native threads. 0 when
        /// controlled.
        case ticket
        /// The number of a POSIX signal; 0: unknown.
        case signal
        /// An index into `TraceDocument.threads`.
        case thread
        /// An index into `TraceDocument.objects`.
        case object
        /// An index into `TraceDocument.texts`.
        case text
        /// A duration or a deadline, in nanoseconds.
        case nanoseconds
        case bytes
        /// The raw value of a `MisuseKind`.
        case misuse

        package var isNumber: Bool {
            switch self {
            case .number, .result, .ticket, .signal: true
            default: false
            }
        }
    }

    /// Written out, because other modules call the derived one through a table.
    @inlinable @inline(__always)
    package static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }

    /// The dotted name, for example `mutex.acquire`.
    package var name: String { description.name }

    package var meaning: Meaning { Self.meanings[Int(rawValue)] }

    /// The kind with this dotted name.
    package init?(name: String) {
        guard let kind = Self.byName[name] else { return nil }
        self = kind
    }

    /// Whether the thread is blocked from here on, until its next event.
    @inlinable package var blocks: Bool { effect.blocks }

    /// Whether the run is over with this event: what threads record after it is only their unwinding.
    @inlinable package var endsRun: Bool { effect.endsRun }

    /// Whether it says of a claim that it does not hold.
    package var isOfClaim: Bool { self == .claimFailed || self == .claimBroken }

    /// Whether it is the reading of a meter.
    package var isReading: Bool { self == .meterCount || self == .meterBytes || self == .meterTime }

    /// By raw value: readers of recordings use this for every event.
    private static let meanings = allCases.map(\.description.meaning)

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    private var description: (name: String, meaning: Meaning) {
        switch self {
        case .threadCreate: ("thread.create", .thread)
        case .threadCreateDetached: ("thread.create-detached", .thread)
        case .threadWillExit: ("thread.will-exit", .none)
        case .threadKill: ("thread.kill", .thread)
        case .threadKilled: ("thread.killed", .none)
        case .threadStart: ("thread.start", .none)
        case .threadExit: ("thread.exit", .result)
        case .threadJoinWait: ("thread.join-wait", .thread)
        case .threadJoin: ("thread.join", .thread)
        case .threadDetach: ("thread.detach", .thread)
        case .threadYield: ("thread.yield", .none)
        case .threadSleep: ("thread.sleep", .nanoseconds)
        case .threadAwake: ("thread.awake", .none)
        case .threadError: ("thread.error", .text)
        case .threadForeign: ("thread.foreign", .text)
        case .threadCutOff: ("thread.cut-off", .none)
        case .threadDeadline: ("thread.deadline", .nanoseconds)
        case .threadTry: ("thread.try", .none)
        case .threadPriority: ("thread.priority", .number)
        case .threadProgress: ("thread.progress", .none)
        case .mutexWait: ("mutex.wait", .none)
        case .mutexAcquire: ("mutex.acquire", .ticket)
        case .mutexBusy: ("mutex.busy", .none)
        case .mutexTimeout: ("mutex.timeout", .none)
        case .mutexRelease: ("mutex.release", .none)
        case .readWait: ("rwlock.read-wait", .none)
        case .writeWait: ("rwlock.write-wait", .none)
        case .readAcquire: ("rwlock.read-acquire", .ticket)
        case .writeAcquire: ("rwlock.write-acquire", .ticket)
        case .lockBusy: ("rwlock.busy", .none)
        case .lockTimeout: ("rwlock.timeout", .none)
        case .readRelease: ("rwlock.read-release", .none)
        case .writeRelease: ("rwlock.write-release", .none)
        case .conditionWait: ("condition.wait", .object)
        case .conditionWake: ("condition.wake", .object)
        case .conditionTimeout: ("condition.timeout", .object)
        case .conditionSignal: ("condition.signal", .none)
        case .conditionBroadcast: ("condition.broadcast", .none)
        case .semaphoreWait: ("semaphore.wait", .none)
        case .semaphoreAcquire: ("semaphore.acquire", .none)
        case .semaphoreBusy: ("semaphore.busy", .none)
        case .semaphoreTimeout: ("semaphore.timeout", .none)
        case .semaphoreSignal: ("semaphore.signal", .none)
        case .atomicLoad: ("atomic.load", .number)
        case .atomicStore: ("atomic.store", .number)
        case .atomicUpdate: ("atomic.update", .number)
        case .atomicMismatch: ("atomic.mismatch", .number)
        case .cellRead: ("cell.read", .number)
        case .cellWrite: ("cell.write", .number)
        case .memoryWait: ("memory.wait", .none)
        case .memorySpin: ("memory.spin", .none)
        case .slotSet: ("slot.set", .none)
        case .slotDestroy: ("slot.destroy", .none)
        case .dictionarySet: ("dictionary.set", .text)
        case .dictionaryGet: ("dictionary.get", .text)
        case .queuePut: ("queue.put", .number)
        case .queueTake: ("queue.take", .number)
        case .queueAsync: ("queue.async", .number)
        case .queueSuspend: ("queue.suspend", .none)
        case .queueResume: ("queue.resume", .none)
        case .queueServe: ("queue.serve", .thread)
        case .operationFinish: ("operation.finish", .text)
        case .operationCancel: ("operation.cancel", .text)
        case .conditionLockAcquire: ("condition-lock.acquire", .number)
        case .conditionLockRelease: ("condition-lock.release", .number)
        case .conditionLockAcquireNamed: ("condition-lock.acquire-at", .text)
        case .conditionLockReleaseNamed: ("condition-lock.release-at", .text)
        case .loopEntry: ("runloop.entry", .text)
        case .loopBeforeTimers: ("runloop.before-timers", .none)
        case .loopBeforeSources: ("runloop.before-sources", .none)
        case .loopBeforeWaiting: ("runloop.before-waiting", .none)
        case .loopAfterWaiting: ("runloop.after-waiting", .none)
        case .loopExit: ("runloop.exit", .text)
        case .loopWakeUp: ("runloop.wake-up", .none)
        case .sourceSchedule: ("source.schedule", .none)
        case .sourceSignal: ("source.signal", .none)
        case .sourcePerform: ("source.perform", .none)
        case .sourceCancel: ("source.cancel", .none)
        case .objectAutorelease: ("object.autorelease", .none)
        case .objectEnd: ("object.end", .none)
        case .timerFire: ("timer.fire", .nanoseconds)
        case .observerCall: ("observer.call", .text)
        case .performQueue: ("perform.queue", .none)
        case .performCall: ("perform.call", .none)
        case .portSend: ("port.send", .number)
        case .portReceive: ("port.receive", .number)
        case .fileAppend: ("file.append", .number)
        case .distributedLockAcquire: ("distributed-lock.acquire", .none)
        case .distributedLockBusy: ("distributed-lock.busy", .none)
        case .distributedLockRelease: ("distributed-lock.release", .none)
        case .distributedLockBreak: ("distributed-lock.break", .none)
        case .signalSend: ("signal.send", .none)
        case .signalHandler: ("signal.handler", .none)
        case .signalHandled: ("signal.handled", .none)
        case .signalTake: ("signal.take", .none)
        case .processStart: ("process.start", .text)
        case .processKill: ("process.kill", .text)
        case .processEnd: ("process.end", .text)
        case .choice: ("choice", .number)
        case .note: ("note", .text)
        case .meterCount: ("meter.count", .number)
        case .meterBytes: ("meter.bytes", .bytes)
        case .meterTime: ("meter.time", .nanoseconds)
        case .stateSeen: ("state.seen", .text)
        case .assertionFailed: ("assertion.failed", .text)
        case .claimFailed: ("claim.failed", .text)
        case .claimBroken: ("claim.broken", .text)
        case .noProgress: ("progress.none", .text)
        case .misuse: ("misuse", .misuse)
        case .runExit: ("run.exit", .none)
        case .runComplete: ("run.complete", .none)
        case .runTimeout: ("run.timeout", .nanoseconds)
        case .runStepLimit: ("run.step-limit", .number)
        case .runCycle: ("run.cycle", .number)
        case .runStarvation: ("run.starvation", .number)
        case .runForever: ("run.forever", .number)
        case .runCrash: ("run.crash", .signal)
        case .runKilled: ("run.killed", .signal)
        case .runQuit: ("run.quit", .number)
        case .runInterrupted: ("run.interrupted", .signal)
        case .runDiverged: ("run.diverged", .text)
        }
    }

    /// What an event of this kind does. Inlined, so that it is one lookup in a table.
    @inlinable @inline(__always) package var effect: Effect {
        switch self {
        case .threadCreate: .createThread(isDetached: false)
        case .threadCreateDetached: .createThread(isDetached: true)
        case .threadStart: .startThread
        case .threadExit: .endThread(isKilled: false)
        case .threadKilled: .endThread(isKilled: true)
        case .threadJoinWait: .wait(.threadEnd)
        case .threadJoin: .joinThread
        case .threadDetach: .detachThread
        case .threadYield: .yield
        case .threadSleep: .sleep
        case .threadAwake: .awake
        case .threadError: .fail(.error)
        case .threadForeign: .fail(.foreignThread)
        case .threadCutOff: .cutOffThread
        case .threadDeadline: .limitWait
        case .threadTry: .attempt
        case .threadPriority: .setPriority
        case .mutexWait: .wait(.lock(.mutex))
        case .mutexAcquire: .take(.mutex)
        case .mutexBusy: .refuse(.lock, .busy)
        case .mutexTimeout: .refuse(.lock, .timeout)
        case .mutexRelease: .release(.mutex)
        case .readWait: .wait(.lock(.reading))
        case .writeWait: .wait(.lock(.writing))
        case .readAcquire: .take(.reading)
        case .writeAcquire: .take(.writing)
        case .lockBusy: .refuse(.lock, .busy)
        case .lockTimeout: .refuse(.lock, .timeout)
        case .readRelease: .release(.reading)
        case .writeRelease: .release(.writing)
        case .conditionWait: .park
        case .conditionWake: .unpark(isTimeout: false)
        case .conditionTimeout: .unpark(isTimeout: true)
        case .conditionSignal: .signal(toAll: false)
        case .conditionBroadcast: .signal(toAll: true)
        case .semaphoreWait: .wait(.permit)
        case .semaphoreAcquire: .takePermit
        case .semaphoreBusy: .refuse(.permit, .busy)
        case .semaphoreTimeout: .refuse(.permit, .timeout)
        case .semaphoreSignal: .givePermit
        case .atomicLoad: .read(.atomic)
        case .atomicStore: .write(.atomic)
        case .atomicUpdate: .update
        case .atomicMismatch: .mismatch
        case .cellRead: .read(.cell)
        case .cellWrite: .write(.cell)
        case .memoryWait: .wait(.change)
        case .memorySpin: .wait(.changeSpinning)
        case .slotDestroy, .loopExit, .threadWillExit, .objectEnd: .cleanUp
        case .slotSet, .dictionarySet, .dictionaryGet, .queuePut, .queueTake, .queueAsync, .queueSuspend,
            .queueResume, .queueServe, .operationFinish, .operationCancel, .conditionLockAcquire,
            .conditionLockRelease, .conditionLockAcquireNamed, .conditionLockReleaseNamed, .loopEntry,
            .loopBeforeTimers, .loopBeforeSources, .loopBeforeWaiting, .loopAfterWaiting, .loopWakeUp,
            .sourceSchedule, .sourceSignal, .sourcePerform, .sourceCancel, .timerFire, .observerCall, .performQueue,
            .performCall, .portSend, .portReceive, .objectAutorelease, .threadKill, .distributedLockAcquire,
            .distributedLockBusy, .distributedLockRelease, .distributedLockBreak, .processStart, .processKill,
            .processEnd, .signalSend, .signalHandler, .signalHandled, .signalTake, .note, .meterCount, .meterBytes,
            .meterTime, .stateSeen, .threadProgress:
            .none
        case .fileAppend: .append
        case .choice: .choose
        case .assertionFailed: .fail(.assertion)
        case .claimFailed: .fail(.claim)
        case .claimBroken: .fail(.brokenClaim)
        case .noProgress: .fail(.noProgress)
        case .misuse: .misuse
        case .runExit: .endRun(.exit)
        case .runComplete: .endRun(.completion)
        case .runForever: .endRun(.forever)
        case .runTimeout: .endRun(.timeout)
        case .runStepLimit: .endRun(.stepLimit)
        case .runCycle: .endRun(.cycle)
        case .runStarvation: .endRun(.starvation)
        case .runCrash: .endRun(.crash)
        case .runKilled: .endRun(.killed)
        case .runQuit: .endRun(.quit)
        case .runInterrupted: .endRun(.interrupted)
        case .runDiverged: .endRun(.diverged)
        }
    }
}
