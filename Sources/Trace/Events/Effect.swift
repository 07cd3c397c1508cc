/// What an event does: to its thread, to its object, and to the order between threads. Each kind of event has an effect
/// (`EventKind.effect`), and several kinds can have the same one. Everything that interprets events uses it (detectors,
/// the merge of lanes, replay, reports), so the meaning of a kind is written once.
///
/// The thread is the event's `thread` and the object is its `object`, unless a case says otherwise.
package enum Effect: Equatable, Sendable {
    /// Nothing that another thread could notice; not a step.
    case none

    // Threads. A thread that is created, joined or detached is the event's value.
    case createThread(isDetached: Bool)
    case startThread, joinThread, detachThread
    /// The thread has ended. `isKilled`: because another thread killed it.
    case endThread(isKilled: Bool)
    /// The end of the process cuts the thread off.
    case cutOffThread
    case yield
    /// The thread is asleep until its next event.
    case sleep
    case awake
    case setPriority

    // Descriptions of the next event of the thread
    /// The thread's next wait has a deadline.
    case limitWait
    /// The thread's next lock operation is an attempt, or a wait with a time limit.
    case attempt

    // Locks and permits
    /// The thread is blocked until its next event.
    case wait(Need)
    case take(Lock)
    /// The thread releases the lock, or keeps it in a weaker mode.
    case release(Lock, keeping: Lock? = nil)
    case takePermit
    case givePermit
    /// The thread did not get the lock or permit.
    case refuse(Sought, Refusal)

    // Conditions. The mutex is the event's value.
    /// The thread unlocks the mutex once, and is blocked until its next event.
    case park
    /// The wait is over, and the thread has reacquired the mutex.
    case unpark(isTimeout: Bool)
    case signal(toAll: Bool)

    // Memory. The event's value is the value read, or the new value.
    case read(Memory)
    case write(Memory)
    /// Frees memory of which the cell is a part: to other threads, like a write without a value.
    case free
    /// Reads and writes an atomic in one step.
    case update
    /// A compare-exchange that finds an unexpected value, which is only a read.
    case mismatch
    /// Adds a record to a file. The value is the number of records.
    case append
    /// Orders the operations of its own thread. The event's value is the memory order.
    case fence
    /// The run follows a memory model weaker than sequential consistency.
    case weaken
    /// The thread's next operation on the atomic does not read the newest write, or inserts its write before newer
    /// ones. The event's value is the number of writes that are newer in modification order.
    case reorder

    /// Takes one of several possible alternatives.
    case choose
    /// Reports that something is wrong.
    case fail(Failure)
    /// A call that the contract forbids, which had no effect.
    case misuse
    /// Something that a thread does when it leaves a run loop or ends, also while an error unwinds it, such as to run a
    /// destructor.
    case cleanUp
    /// The run is over. Events that threads record after it only come from the unwinding of their stacks.
    case endRun(End)

    package enum Lock: Sendable {
        case mutex, reading, writing

        /// Whether several threads can hold it at once.
        @inlinable @inline(__always) package var isShared: Bool { self == .reading }

        @inlinable @inline(__always) package static func == (a: Self, b: Self) -> Bool {
            switch (a, b) {
            case (.mutex, .mutex), (.reading, .reading), (.writing, .writing): true
            default: false
            }
        }
    }

    /// What a blocked thread waits for. A wait for a signal is `park`.
    package enum Need: Equatable, Sendable {
        case lock(Lock)
        case permit
        /// A write to the object, or to another one that the thread has read.
        case change
        /// Like `change`, while the thread keeps a processor busy.
        case changeSpinning
        /// The end of the thread that is the event's value.
        case threadEnd
    }

    package enum Refusal: Sendable { case busy, timeout }

    package enum Sought: Sendable { case lock, permit }

    package enum Failure: Sendable {
        case assertion, claim
        /// A claim that is meant to fail (`expect broken …`).
        case brokenClaim
        /// An error left the thread.
        case error
        /// A compiled program did something that ends it.
        case fault
        /// The thread repeats the same steps many times, and nothing changes.
        case noProgress
        /// A thread outside the run used an object of the run.
        case foreignThread
    }

    package enum Memory: Sendable { case atomic, cell }

    package enum End: Sendable {
        /// The program calls `exit`, or its main thread returns.
        case exit
        case completion
        /// The run can repeat a cycle of states forever, as it is meant to.
        case forever
        // The run was stopped because it took too long.
        case timeout, stepLimit
        /// The run has returned to an earlier state, and can repeat itself without end.
        case cycle
        /// Like `cycle`, and some thread never makes progress in it.
        case starvation
        // The process ended before the end of the scenario: by `exit`, by a signal from outside, or by a signal that
        // the program caused.
        case quit, killed, crash
        /// The user interrupted the run.
        case interrupted
        /// The run could not follow its schedule.
        case diverged

        /// Whether the run ended by itself.
        package var isOwn: Bool {
            switch self {
            case .exit, .completion, .forever: true
            case .timeout, .stepLimit, .cycle, .starvation, .quit, .killed, .crash, .interrupted, .diverged: false
            }
        }

        /// Whether the run was given up before it ended.
        package var isGivenUp: Bool {
            switch self {
            case .timeout, .stepLimit, .cycle, .starvation: true
            case .exit, .completion, .forever, .quit, .killed, .crash, .interrupted, .diverged: false
            }
        }
    }
}

extension Effect {
    /// The answers to the questions below (`blocks` and so on) as one set of bits, so that each is a single test.
    @usableFromInline struct Traits: OptionSet {
        @usableFromInline let rawValue: UInt16
        @inlinable @inline(always) init(rawValue: UInt16) { self.rawValue = rawValue }

        @inlinable @inline(always) static var step: Traits { Traits(rawValue: 1) }
        @inlinable @inline(always) static var recordedBefore: Traits { Traits(rawValue: 2) }
        @inlinable @inline(always) static var blocking: Traits { Traits(rawValue: 4) }
        @inlinable @inline(always) static var write: Traits { Traits(rawValue: 8) }
        @inlinable @inline(always) static var programValue: Traits { Traits(rawValue: 16) }
        @inlinable @inline(always) static var time: Traits { Traits(rawValue: 32) }
        @inlinable @inline(always) static var failure: Traits { Traits(rawValue: 64) }
        @inlinable @inline(always) static var end: Traits { Traits(rawValue: 128) }
        @inlinable @inline(always) static var ownEnd: Traits { Traits(rawValue: 256) }
    }

    @inlinable @inline(always) var traits: Traits {
        switch self {
        case .none, .setPriority, .attempt, .cleanUp, .weaken, .reorder: []
        case .startThread, .joinThread, .detachThread, .endThread, .awake, .take, .takePermit, .free, .append, .fence:
            .step
        case .createThread, .yield, .release, .givePermit, .signal: [.step, .recordedBefore]
        case .cutOffThread: [.end, .failure]
        case .sleep, .limitWait: .time
        case .wait(.lock(.writing)), .park: [.blocking, .step, .recordedBefore]
        case .wait(.lock(.mutex)), .wait(.lock(.reading)), .wait(.permit), .wait(.change), .wait(.changeSpinning),
            .wait(.threadEnd):
            .blocking
        case .refuse(_, .busy), .unpark(isTimeout: false): .step
        case .refuse(_, .timeout), .unpark(isTimeout: true): [.step, .time]
        case .read, .mismatch, .choose: [.step, .programValue]
        case .write, .update: [.step, .programValue, .write]
        case .fail: .failure
        case .misuse: [.step, .programValue, .failure]
        case .endRun(.exit): [.step, .end, .ownEnd]
        case .endRun(.completion), .endRun(.forever): [.end, .ownEnd]
        case .endRun(.timeout), .endRun(.stepLimit), .endRun(.cycle), .endRun(.starvation), .endRun(.quit),
            .endRun(.killed), .endRun(.crash), .endRun(.interrupted), .endRun(.diverged):
            [.end, .failure]
        }
    }

    /// Whether the thread is blocked from now until its next event.
    @inlinable package var blocks: Bool { traits.contains(.blocking) }

    /// Whether the run is over with this event, or is known to be over from it: an event that says that the end of the
    /// process cuts off a thread counts, too.
    @inlinable package var endsRun: Bool { traits.contains(.end) }

    /// Whether the run ended by itself.
    @inlinable package var isOwnEnd: Bool { traits.contains(.ownEnd) }

    /// Whether the event writes a cell or an atomic. The event's value is the new value.
    @inlinable package var isWrite: Bool { traits.contains(.write) }

    /// Whether the event's value is one with which the program computes, or says what a misuse is: the same schedule
    /// leads to the same value.
    @inlinable package var hasProgramValue: Bool { traits.contains(.programValue) }

    /// Whether the event shows that the run depends on how much time passes.
    @inlinable package var tellsTime: Bool { traits.contains(.time) }

    /// Whether it is a step of the thread, and not only a description. The beginning of a wait is a step only if other
    /// threads can notice it: a waiting writer keeps new readers out, and a wait for a condition unlocks the mutex.
    @inlinable package var isStep: Bool { traits.contains(.step) }

    /// Whether native threads record the event before they do it, so that its consequences in other threads have later
    /// times. All other steps are recorded afterwards.
    @inlinable package var isRecordedBefore: Bool { traits.contains(.recordedBefore) }

    /// Whether it shows that something went wrong.
    @inlinable package var isFailure: Bool { traits.contains(.failure) }

    @inlinable package var createsThread: Bool { if case .createThread = self { true } else { false } }
    @inlinable package var endsThread: Bool { if case .endThread = self { true } else { false } }
    @inlinable package var isRead: Bool { if case .read = self { true } else { false } }
    @inlinable package var isRefusal: Bool { if case .refuse = self { true } else { false } }
    @inlinable package var isUnpark: Bool { if case .unpark = self { true } else { false } }
    @inlinable package var isSignal: Bool { if case .signal = self { true } else { false } }

    @inlinable package var takesLock: Bool { if case .take = self { true } else { false } }
    @inlinable package var releasesLock: Bool { if case .release = self { true } else { false } }
    @inlinable package var waitsForLock: Bool { if case .wait(.lock) = self { true } else { false } }

    /// Whether the object has the event's value after the event, because the event wrote it or found it.
    @inlinable package var showsValue: Bool { isWrite || isRead || self == .mismatch || self == .append }

    /// Whether it reports that something is wrong.
    @inlinable package var isReport: Bool { if case .fail = self { true } else { false } }

    /// How the run ended with this event. Nil: it did not.
    package var end: End? { if case .endRun(let end) = self { end } else { nil } }
}

/// What an event does to a lock. `Event.lockChange` decides which events affect a lock, and which of their fields names
/// it.
package struct LockChange: Sendable {
    package var lock: ObjectID
    /// The mode in which the thread releases the lock. Nil: it releases nothing. A recursive mutex that was locked
    /// twice remains held.
    package var from: Effect.Lock?
    /// The mode in which the thread now acquires the lock. Nil: it acquires nothing.
    package var to: Effect.Lock?
}

extension Event {
    /// Nil: the event does not affect a lock.
    package var lockChange: LockChange? {
        switch kind.effect {
        case .take(let lock): LockChange(lock: object, to: lock)
        case .release(let lock, let kept): LockChange(lock: object, from: lock, to: kept)
        case .park: valueAsObject.map { LockChange(lock: $0, from: .mutex) }
        case .unpark: valueAsObject.map { LockChange(lock: $0, to: .mutex) }
        case .none, .createThread, .startThread, .joinThread, .detachThread, .endThread, .cutOffThread, .yield, .sleep,
            .awake, .setPriority, .limitWait, .attempt, .wait, .takePermit, .givePermit, .refuse, .signal, .read,
            .write, .free, .update, .mismatch, .append, .fence, .weaken, .reorder, .choose, .fail, .misuse, .cleanUp,
            .endRun:
            nil
        }
    }
}
