/// The kinds of events. Saved traces contain a kind's dotted name, such as `mutex.acquire`, whose meaning never
/// changes.
///
/// All properties of a kind are in its row, below. A kind is commented here only if its row does not suffice.
///
/// A kind whose effect is `wait` or `park` says that the thread is blocked from now until its next event.
package enum EventKind: UInt8, CaseIterable, Sendable {
    // Threads
    case threadCreate, threadStart, threadExit, threadJoinWait, threadJoin, threadDetach, threadYield
    case threadSleep, threadAwake, threadError, threadCutOff
    /// The new thread is detached from the start.
    case threadCreateDetached
    /// The thread's body is over, and the thread runs what was registered for its end.
    case threadWillExit
    /// The thread kills another thread.
    case threadKill
    /// The thread was killed, and ends where it is without cleaning up.
    case threadKilled
    /// The thread's next wait ends at the latest after this time. A wait without such an event has no time limit.
    case threadDeadline
    /// The thread's next lock operation is an attempt, or a wait with a time limit.
    case threadTry
    case threadPriority
    /// A thread outside the run was about to use the object, and was refused.
    case threadForeign
    /// The thread has done what it loops for.
    case threadProgress

    // Locks
    case mutexWait, mutexAcquire, mutexBusy, mutexTimeout, mutexRelease, mutexAbandon
    case readWait, writeWait, readAcquire, writeAcquire, lockBusy, lockTimeout, readRelease, writeRelease
    case lockDowngrade

    // Waiting for each other
    case conditionWait, conditionWake, conditionTimeout, conditionSignal, conditionBroadcast
    /// The predicate that another thread (the event's value) tests before it waits for the condition has become true
    /// (`conditionMet`) or false (`conditionUnmet`). Only for `.lab` programs, whose text says what a thread tests.
    /// Recorded after the write that changed it, and before the wait.
    case conditionMet, conditionUnmet
    case semaphoreWait, semaphoreAcquire, semaphoreBusy, semaphoreTimeout, semaphoreSignal

    // Memory
    case atomicLoad, atomicStore, atomicUpdate, atomicMismatch
    case cellRead, cellWrite
    /// The same of a list, whose value is a text such as `[1, 2]`.
    case listRead, listWrite
    /// A thread frees memory, or unmaps it. The event is on the first cell of the memory that was accessed; the second
    /// kind is for each further one, so that every cell shows what happened to it.
    case cellFree, cellFreeRest
    /// The thread found a condition false, and waits for a write of something that it read.
    case memoryWait
    /// Like `memoryWait`, in a loop that keeps a processor busy: the thread spins.
    case memorySpin
    /// A fence, which orders the operations of its own thread.
    case fence
    /// The memory model of the run, if it is a weaker one.
    case memoryModel
    /// How many newer writes the thread's next read of an atomic does not see.
    case memoryBehind
    /// How many earlier writes the thread's next write of an atomic precedes in modification order.
    case memoryBefore
    case slotSet, slotDestroy

    // Built objects, files and signal handlers
    /// A remark of an object, in words of its own: `Event.remark`. Most events of built objects are remarks. The kinds
    /// below exist because not only reports depend on them.
    case remark
    /// In a call of a built object: what the thread is about to wait for (`objectWait`), and then what it found
    /// instead, in the program's terms. Repeated each time that it looks again and has to continue waiting.
    case objectWait, objectState
    /// The created thread is a worker of a pool: it only runs blocks of queues.
    case queueServe
    /// An operation becomes dependent on another, is added to a queue, begins, and finishes.
    case operationDepend, operationAdd, operationBegin, operationFinish
    case loopEntry, loopExit
    case performQueue
    case fileAppend
    /// The thread begins, and ends, the handler of a signal.
    case signalHandler, signalHandled

    // What the scenario says and measures, and what goes wrong
    case choice, note
    case meterCount, meterBytes, meterTime
    /// The run has ended in, or reached, a state that some run must end in or reach.
    case stateSeen
    case assertionFailed, noProgress, misuse
    /// A compiled program did something that ends it, such as to use freed memory. If that concerns a block of memory,
    /// the other two events precede this one: where the block was allocated, and where it was freed.
    case threadFault, blockAllocated, blockFreed
    /// Why a compiled program crashes: the message follows. The object is the one whose value was used as an address, if
    /// that is known.
    case crashReason
    /// A compiled program has leaked a block of memory: it has ended, has not freed the block, and nothing points to
    /// it.
    case blockLost
    /// A summary of further leaked blocks.
    case moreLost
    /// A claim about the run does not hold.
    case claimFailed
    /// A claim that is meant to fail (`expect broken …`) does not hold.
    case claimBroken

    // The run as a whole
    case runExit, runComplete, runTimeout, runStepLimit, runCycle, runStarvation, runForever, runCrash, runKilled,
        runQuit, runInterrupted,
        runDiverged
    case runMessage
}

extension EventKind {
    /// The table of events. Everything that depends only on the kind reads it: what an event does, what lanes show, how
    /// traces write it, and the table in docs/trace-format.md, which a test compares.
    @inlinable @inline(__always) package var row: Row {
        switch self {
        case .threadCreate:
            Row(
                "thread.create", value: .thread, .createThread(isDetached: false), verb: "create {value}",
                says: "It created the thread")
        case .threadStart:
            Row("thread.start", .startThread, verb: "start", says: "The thread's body begins")
        case .threadExit:
            Row(
                "thread.exit", value: .result, .endThread(isKilled: false), verb: "end {value}",
                says: "The thread ended, with this value")
        case .threadJoinWait:
            Row(
                "thread.join-wait", value: .thread, .wait(.threadEnd), verb: "waits for {value}",
                says: "Waits for the thread to end")
        case .threadJoin:
            Row("thread.join", value: .thread, .joinThread, verb: "join {value}", says: "It joined the thread")
        case .threadDetach:
            Row(
                "thread.detach", value: .thread, .detachThread, verb: "detach {value}",
                says: "The thread is now detached. Older traces have it after the creation of a detached thread too")
        case .threadYield:
            Row("thread.yield", .yield, verb: "yield", says: "It gave up its turn")
        case .threadSleep:
            Row("thread.sleep", value: .nanoseconds, .sleep, verb: "sleep {value}", says: "It sleeps")
        case .threadAwake:
            Row("thread.awake", .awake, verb: "awake", says: "It finished sleeping")
        case .threadError:
            Row(
                "thread.error", value: .text, .fail(.error), verb: "error: {value}",
                says: "An error left the thread's body")
        case .threadCutOff:
            Row(
                "thread.cut-off", .cutOffThread, verb: "cut off",
                says: "The process ended while the thread was running")
        case .threadCreateDetached:
            Row(
                "thread.create-detached", value: .thread, .createThread(isDetached: true),
                verb: "create {value}, detached",
                says: "It created the thread, detached from the beginning")
        case .threadWillExit:
            Row(
                "thread.will-exit", .cleanUp, verb: "is about to end",
                says: "The thread's body is over; what was registered for its end runs")
        case .threadKill:
            Row("thread.kill", value: .thread, verb: "kill {value}", says: "It kills the thread")
        case .threadKilled:
            Row(
                "thread.killed", .endThread(isKilled: true), verb: "is killed",
                says: "The thread was killed: it ended where it was")
        case .threadDeadline:
            Row(
                "thread.deadline", value: .nanoseconds, .limitWait, verb: "for at most {value}",
                says: "The next wait ends after this time at the latest")
        case .threadTry:
            Row(
                "thread.try", .attempt, verb: "thread.try",
                says: "It would not have waited for the lock that it takes next, or only with a time limit")
        case .threadPriority:
            Row(
                "thread.priority", value: .number, .setPriority, verb: "has priority {value}",
                says: "Its priority: the one with which it was created, if one was given, or a new one")
        case .threadForeign:
            Row(
                "thread.foreign", value: .text, .fail(.foreignThread), verb: "a foreign thread uses {object}",
                says: """
                    A thread that does not belong to the run was about to use the object, by the operation that the \
                    text names, and was refused. The run ends. The event is shown with the main thread's
                    """)
        case .threadProgress:
            Row("thread.progress", verb: "makes progress", says: "It has done what it loops for (`progress`)")
        case .mutexWait:
            Row("mutex.wait", .wait(.lock(.mutex)), verb: "waits for {object}", says: "Waits for the mutex")
        case .mutexAcquire:
            Row(
                "mutex.acquire", value: .ticket, .take(.mutex), verb: "lock {object}",
                says: "It has the mutex: the mutex's n-th acquisition")
        case .mutexBusy:
            Row(
                "mutex.busy", .refuse(.lock, .busy), verb: "finds {object} taken",
                says: "It tried, and the mutex was held")
        case .mutexTimeout:
            Row(
                "mutex.timeout", .refuse(.lock, .timeout), verb: "gives up {object}",
                says: "It waited until its time limit")
        case .mutexRelease:
            Row("mutex.release", .release(.mutex), verb: "unlock {object}", says: "It released the mutex")
        case .mutexAbandon:
            Row(
                "mutex.abandon", .release(.mutex), verb: "ends holding {object}",
                says: "It ends while it holds a robust mutex: the next owner learns of it")
        case .readWait:
            Row("rwlock.read-wait", .wait(.lock(.reading)), verb: "waits to read {object}", says: "Waits to read")
        case .writeWait:
            Row("rwlock.write-wait", .wait(.lock(.writing)), verb: "waits to write {object}", says: "Waits to write")
        case .readAcquire:
            Row(
                "rwlock.read-acquire", value: .ticket, .take(.reading), verb: "read-lock {object}",
                says: "It has the lock for reading: the n-th acquisition")
        case .writeAcquire:
            Row(
                "rwlock.write-acquire", value: .ticket, .take(.writing), verb: "write-lock {object}",
                says: "It has the lock for writing: the n-th acquisition")
        case .lockBusy:
            Row(
                "rwlock.busy", .refuse(.lock, .busy), verb: "finds {object} taken",
                says: "It tried, and the lock was held")
        case .lockTimeout:
            Row(
                "rwlock.timeout", .refuse(.lock, .timeout), verb: "gives up {object}",
                says: "It waited until its time limit")
        case .readRelease:
            Row(
                "rwlock.read-release", .release(.reading), verb: "unlock {object}",
                says: "It released the lock, held for reading")
        case .writeRelease:
            Row(
                "rwlock.write-release", .release(.writing), verb: "unlock {object}",
                says: "It released the lock, held for writing")
        case .lockDowngrade:
            Row(
                "rwlock.downgrade", .release(.writing, keeping: .reading), verb: "downgrade {object}",
                says: "It had the lock for writing, and has it for reading from here on")
        case .conditionWait:
            Row(
                "condition.wait", value: .object, .park, verb: "waits for {object}",
                says: "Released the mutex and waits for a signal")
        case .conditionWake:
            Row(
                "condition.wake", value: .object, .unpark(isTimeout: false), verb: "woken by {object}",
                says: "It was woken, and holds the mutex again")
        case .conditionTimeout:
            Row(
                "condition.timeout", value: .object, .unpark(isTimeout: true), verb: "gives up {object}",
                says: "Its time limit expired, and it holds the mutex again")
        case .conditionSignal:
            Row(
                "condition.signal", .signal(toAll: false), verb: "signal {object}",
                says: "It woke one waiter, if there was one")
        case .conditionBroadcast:
            Row("condition.broadcast", .signal(toAll: true), verb: "broadcast {object}", says: "It woke all waiters")
        case .conditionMet:
            Row(
                "condition.met", value: .thread, verb: "what {value} tests is so",
                says: """
                    What the thread tests before it waits for the condition is as it needs it from here on: a `.lab` \
                    program's text says what. It need not wait
                    """)
        case .conditionUnmet:
            Row(
                "condition.unmet", value: .thread, verb: "what {value} tests is not so",
                says: "The same is not so, or no longer so: the thread has to wait")
        case .semaphoreWait:
            Row(
                "semaphore.wait", .wait(.permit), verb: "waits for {object}",
                says: "Waits for the semaphore to be above zero")
        case .semaphoreAcquire:
            Row("semaphore.acquire", .takePermit, verb: "take {object}", says: "It took a permit")
        case .semaphoreBusy:
            Row(
                "semaphore.busy", .refuse(.permit, .busy), verb: "finds {object} taken",
                says: "It tried, and the semaphore was zero")
        case .semaphoreTimeout:
            Row(
                "semaphore.timeout", .refuse(.permit, .timeout), verb: "gives up {object}",
                says: "It waited until its time limit")
        case .semaphoreSignal:
            Row("semaphore.signal", .givePermit, verb: "give {object}", says: "It added a permit")
        case .atomicLoad:
            Row(
                "atomic.load", value: .number, .read(.atomic), verb: "read {object} {result} {order}",
                ofCounted: "use {object}",
                says: "It read the value")
        case .atomicStore:
            Row(
                "atomic.store", value: .number, .write(.atomic), verb: "write {object} {result} {order}",
                says: "It wrote the value")
        case .atomicUpdate:
            Row(
                "atomic.update", value: .number, .update, verb: "update {object} {result} {order}",
                ofCounted: "references to {object} now {value}",
                says: "It read and wrote in one step; the new value")
        case .atomicMismatch:
            Row(
                "atomic.mismatch", value: .number, .mismatch, verb: "finds {object} {result} {order}",
                says: "A compare-exchange found this value and wrote nothing")
        case .cellRead:
            Row(
                "cell.read", value: .number, .read(.cell), verb: "read {object} {result}",
                says: "It read the value, without synchronization")
        case .cellWrite:
            Row(
                "cell.write", value: .number, .write(.cell), verb: "write {object} {result}",
                says: "It wrote the value, without synchronization")
        case .listRead:
            Row(
                "list.read", value: .text, .read(.cell), verb: "read {object} {result}",
                says: "It read the list or a part of it, without synchronization; all of the list")
        case .listWrite:
            Row(
                "list.write", value: .text, .write(.cell), verb: "write {object} {result}",
                says: "It changed the list, without synchronization; all of the list after that")
        case .cellFree:
            Row(
                "cell.free", value: .text, .free, verb: "free {value}",
                says: "It freed this memory, of which the object is the first known part, without synchronization")
        case .cellFreeRest:
            Row(
                "cell.free-rest", value: .text, .free, verb: "free {value}",
                says: "Just after `cell.free`: the same of a further part of the memory")
        case .fence:
            Row(
                "memory.fence", value: .order, .fence, verb: "fence {value}",
                says: "A fence of this order: it orders what the thread did before it and does after it")
        case .memoryModel:
            Row(
                "memory.model", value: .number, .weaken, verb: "follows memory model {value}",
                says: "The run follows a weaker memory model: 1 is tso, 2 is rc11")
        case .memoryBehind:
            Row(
                "memory.behind", value: .number, .reorder, verb: "misses writes of {object}: {value}",
                says: """
                    The thread's next read of the atomic does not see this many writes that are newer in its modification \
                    order
                    """)
        case .memoryBefore:
            Row(
                "memory.before", value: .number, .reorder, verb: "goes before writes of {object}: {value}",
                says: """
                    The thread's next write of the atomic goes before this many writes in its modification order: they are \
                    newer, though they were made earlier in this run
                    """)
        case .memoryWait:
            Row(
                "memory.wait", .wait(.change), verb: "waits until {object} changes",
                says: """
                    An `await` does not hold yet, and waits until something that it read, this object first, is \
                    written
                    """)
        case .memorySpin:
            Row(
                "memory.spin", .wait(.changeSpinning), verb: "spins on {object}",
                says: "A spin lock is not free; the thread reads it again and again until it is written")
        case .slotSet:
            Row("slot.set", verb: "set {object} {value}", says: "It set its value in a thread-local slot")
        case .slotDestroy:
            Row(
                "slot.destroy", .cleanUp, verb: "destroy {object}",
                says: "The slot's destructor runs at the thread's end")
        case .remark:
            Row("remark", verb: "remark {object}", says: "The object says something of itself, in words that are lost")
        case .objectWait:
            Row(
                "object.wait", value: .text, verb: "waits for {object} {value}",
                says: "It is about to wait inside the object, for this")
        case .objectState:
            Row(
                "object.state", value: .text, verb: "finds {object} {value}",
                says: "What it found instead, and waits for a change of")
        case .queueServe:
            Row(
                "queue.serve", value: .thread, verb: "has a worker: {value}",
                says: """
                    The thread, which it has just created, is a worker: it runs blocks of work queues, and nothing \
                    else
                    """)
        case .operationDepend:
            Row(
                "operation.depend", value: .object, verb: "let {object} wait for {value}",
                says: "The operation waits until the other one has finished")
        case .operationAdd:
            Row(
                "operation.add", value: .object, verb: "add {object} to {value}",
                says: "The operation was added to the queue")
        case .operationBegin:
            Row("operation.begin", verb: "begin {object}", says: "The operation begins")
        case .operationFinish:
            Row("operation.finish", value: .text, verb: "finish {value}", says: "The operation has finished")
        case .loopEntry:
            Row(
                "runloop.entry", value: .text, verb: "loop begins: {value}",
                says: "The run loop begins to run in this mode")
        case .loopExit:
            Row("runloop.exit", value: .text, .cleanUp, verb: "loop ends: {value}", says: "It left this mode")
        case .performQueue:
            Row(
                "perform.queue", verb: "queue a call to {object}",
                says: "A call was queued for the run loop's thread")
        case .fileAppend:
            Row(
                "file.append", value: .number, .append, verb: "append {value} to {object}",
                says: "It appended to the file")
        case .signalHandler:
            Row("signal.handler", verb: "handles {object}", says: "It got the signal, and the handler begins on it")
        case .signalHandled:
            Row("signal.handled", verb: "has handled {object}", says: "The handler is over")
        case .choice:
            Row("choice", value: .number, .choose, verb: "choose {value}", says: "The run chose this number")
        case .note:
            Row("note", value: .text, verb: "\"{value}\"", says: "The scenario's own words")
        case .meterCount:
            Row(
                "meter.count", value: .number, verb: "measures {object}: {value}",
                says: "A meter read this number of things")
        case .meterBytes:
            Row(
                "meter.bytes", value: .bytes, verb: "measures {object}: {value}",
                says: "A meter read this amount of memory")
        case .meterTime:
            Row(
                "meter.time", value: .nanoseconds, verb: "measures {object}: {value}",
                says: "A meter read this duration")
        case .stateSeen:
            Row(
                "state.seen", value: .text, verb: "seen: {value}",
                says:
                    "The run has ended in an expected state (`expect sometimes`, `expect outcomes`), or has reached one (`expect possible`)"
            )
        case .assertionFailed:
            Row(
                "assertion.failed", value: .text, .fail(.assertion), verb: "{value}",
                says: "An assertion of the scenario is false")
        case .noProgress:
            Row(
                "progress.none", value: .text, .fail(.noProgress), verb: "{value}",
                says: "It repeated many times without progress")
        case .misuse:
            Row("misuse", value: .misuse, .misuse, verb: "{value}", says: "It made a call that the contract forbids")
        case .threadFault:
            Row(
                "thread.fault", value: .text, .fail(.fault), verb: "{value}",
                says:
                    "A compiled program did what ends it: it uses memory that was freed, or exits with a code other than 0"
            )
        case .crashReason:
            Row(
                "crash.reason", value: .text, verb: "{value}",
                says: """
                    Just before the `run.message` of a compiled program's crash: what the thread did, such as to use a null \
                    pointer. The object, if there is one, is the variable that held the pointer
                    """)
        case .blockAllocated:
            Row(
                "block.allocated", value: .text, verb: "had allocated {value}",
                says: "Just before a `thread.fault` about the block: the thread had allocated it, at this place")
        case .blockFreed:
            Row(
                "block.freed", value: .text, verb: "had freed {value}",
                says: "Just before a `thread.fault` about the block: the thread had freed it, at this place")
        case .blockLost:
            Row(
                "block.lost", value: .text, verb: "{value}",
                says: """
                    A compiled program has ended, and nothing points to memory that it has not freed: the thread had \
                    allocated this much of it, at this place
                    """)
        case .moreLost:
            Row(
                "block.more-lost", value: .text, verb: "{value}",
                says: "The same of memory that is not shown block by block: a sentence about it")
        case .claimFailed:
            Row(
                "claim.failed", value: .text, .fail(.claim), verb: "{value}",
                says: """
                    A claim of the program about its runs (`always`, `never`, `invariant`, `eventually`, `outcomes`) \
                    does not hold. A run can break several at once
                    """)
        case .claimBroken:
            Row(
                "claim.broken", value: .text, .fail(.brokenClaim), verb: "{value}",
                says: "The same of a claim that the program itself calls broken (`expect broken …`)")
        case .runExit:
            Row("run.exit", .endRun(.exit), verb: "exit", says: "The main thread left, and the process ends")
        case .runComplete:
            Row(
                "run.complete", .endRun(.completion), verb: "run.complete",
                says: "The run is over, and nothing stopped it")
        case .runTimeout:
            Row(
                "run.timeout", value: .nanoseconds, .endRun(.timeout), verb: "stopped after {value}",
                says: "threadlab stopped the run after this time, in which its threads computed or all slept")
        case .runStepLimit:
            Row(
                "run.step-limit", value: .number, .endRun(.stepLimit), verb: "stopped after {value} steps",
                says: "threadlab stopped the run after this number of steps")
        case .runCycle:
            Row(
                "run.cycle", value: .number, .endRun(.cycle), verb: "the last {value} steps repeat forever",
                says: """
                    threadlab stopped the run: it returned to its state of this number of steps ago, and can repeat \
                    the cycle forever
                    """)
        case .runStarvation:
            Row(
                "run.starvation", value: .number, .endRun(.starvation),
                verb: "the last {value} steps can repeat forever, and {thread} starves",
                says: "The same as `run.cycle`, and this thread makes no progress in the cycle, though others do")
        case .runForever:
            Row(
                "run.forever", value: .number, .endRun(.forever), verb: "the last {value} steps can repeat forever",
                says: """
                    The same, and every thread that should makes progress in the cycle: the run continues forever, \
                    as it should
                    """)
        case .runCrash:
            Row(
                "run.crash", value: .signal, .endRun(.crash), verb: "crash {value}",
                says: "A signal that the program caused ended it")
        case .runKilled:
            Row(
                "run.killed", value: .signal, .endRun(.killed), verb: "killed {value}",
                says: "A signal from outside ended it")
        case .runQuit:
            Row(
                "run.quit", value: .number, .endRun(.quit), verb: "quit with status {value}",
                says: "The program called `exit` with this status before the end of the scenario")
        case .runInterrupted:
            Row(
                "run.interrupted", value: .signal, .endRun(.interrupted), verb: "interrupted {value}",
                says: "The user stopped it")
        case .runDiverged:
            Row(
                "run.diverged", value: .text, .endRun(.diverged), verb: "{value}",
                says: "The run could not follow the schedule that it was given")
        case .runMessage:
            Row(
                "run.message", value: .text, verb: "wrote: {value}",
                says: "What the program wrote just before it crashed: the text of a failed check in Swift")
        }
    }
}
