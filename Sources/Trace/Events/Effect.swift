/// What an event does: to its thread, to its object, and to the order between threads. Each kind has one (`EventKind.effect`), and
/// whatever reads events for their meaning reads this: detectors, the merge of lanes, replay, reports. So the meaning of
/// a kind is written once.
///
/// Unless a case says otherwise, the object concerned is the event's `object`.
package enum Effect: Equatable, Sendable {
    /// Nothing that another thread could notice, and not a step.
    case none

    // Threads. The other thread is the event's value.
    case createThread, startThread, endThread, joinThread, detachThread
    /// The end of the process stops the thread where it is.
    case cutOffThread
    case yield
    /// The thread is asleep until its next event.
    case sleep
    case awake
    case setPriority

    // Before another event of the thread
    /// The wait that comes next has a deadline.
    case limitWait
    /// The lock that comes next is one for which the thread would not have waited, or not forever.
    case attempt

    // Locks and permits
    /// The thread is blocked until its next event.
    case wait(Need)
    case take(Lock)
    case release(Lock)
    case takePermit
    case givePermit
    /// The thread did not get the lock or permit.
    case refuse(Refusal)

    // Conditions. The mutex is the event's value.
    /// The thread releases the mutex, once, and is blocked until its next event.
    case park
    /// The wait is over, and the thread takes the mutex again.
    case unpark(isTimeout: Bool)
    case signal(toAll: Bool)

    // Memory. The event's value is what was read, or what it holds from now on.
    case read(Memory)
    case write(Memory)
    /// Reads and writes an atomic in one step.
    case update
    /// A compare-exchange that finds another value than it expects, which is no more than a read.
    case mismatch
    /// Adds a record to a file. The value is the number of records.
    case append

    /// Takes one of several alternatives that are all possible.
    case choose
    /// Says that something is wrong: an assertion, an error, no progress.
    case fail
    /// A call that the contract forbids, which did nothing.
    case misuse
    /// What also happens while an error passes through the thread.
    case cleanUp
    /// The run is over: what threads record afterwards is only their unwinding.
    case endRun(End)

    package enum Lock: Sendable {
        case mutex, reading, writing

        /// Whether several threads can have it at once.
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
        /// The object, or another one that the thread has read, is written.
        case change
        /// The thread that is the event's value ends.
        case threadEnd
    }

    package enum Refusal: Sendable { case busy, timeout }

    package enum Memory: Sendable { case atomic, cell }

    package enum End: Sendable {
        /// The program calls `exit`, or its main thread returns.
        case exit
        case completion
        /// It took too long, by the clock or in steps.
        case givenUp
        /// The process died.
        case death
        /// A person, or a schedule that does not fit, stopped it.
        case stop
    }
}

extension Effect {
    /// Whether the thread is blocked from here on, until its next event.
    @inlinable package var blocks: Bool {
        switch self {
        case .wait, .park: true
        default: false
        }
    }

    /// Whether the run is over with this event. A process that ends cuts its threads off first.
    @inlinable package var endsRun: Bool {
        switch self {
        case .endRun, .cutOffThread: true
        default: false
        }
    }

    /// Whether the run came to its own end.
    @inlinable package var isOwnEnd: Bool {
        switch self {
        case .endRun(.exit), .endRun(.completion): true
        default: false
        }
    }

    /// Whether the object holds the event's value from here on.
    @inlinable package var isWrite: Bool {
        switch self {
        case .write, .update: true
        default: false
        }
    }

    /// Whether the event's value is one that the program works with: the same choices lead to the same one.
    @inlinable package var hasProgramValue: Bool {
        switch self {
        case .read, .write, .update, .mismatch, .choose, .misuse: true
        default: false
        }
    }

    /// Whether the event shows that the run depends on how much time passes.
    @inlinable package var tellsTime: Bool {
        switch self {
        case .sleep, .limitWait, .refuse(.timeout), .unpark(isTimeout: true): true
        default: false
        }
    }

    /// Whether it is a step of the thread, and not only a remark on one or the beginning of a wait. A writer that begins to
    /// wait takes a step, because it keeps readers out from then on.
    @inlinable package var isStep: Bool {
        switch self {
        case .wait(.lock(.writing)): true
        case .none, .cutOffThread, .sleep, .setPriority, .limitWait, .attempt, .wait, .fail, .cleanUp: false
        case .endRun(.exit): true
        case .endRun: false
        default: true
        }
    }

    /// Whether native threads record it before they do it: what others can do only afterwards then has a later time. The rest
    /// is recorded afterwards.
    @inlinable package var isRecordedBefore: Bool {
        switch self {
        case .createThread, .yield, .release, .wait(.lock(.writing)), .park, .signal, .givePermit: true
        default: false
        }
    }

    /// Whether it shows a reader that something went wrong.
    @inlinable package var isFailure: Bool {
        switch self {
        case .fail, .misuse, .cutOffThread, .endRun(.givenUp), .endRun(.death), .endRun(.stop): true
        default: false
        }
    }
}
