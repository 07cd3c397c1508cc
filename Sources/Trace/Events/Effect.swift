/// What an event does: to its thread, to its object, and to the order between threads. Each kind has one
/// (`EventKind.effect`), and everything that interprets events reads it: detectors, the merge of lanes, replay,
/// reports. So the meaning of a kind is written once.
///
/// Unless a case says otherwise, the object concerned is the event's `object`.
package enum Effect: Equatable, Sendable {
    /// Nothing that another thread could notice; not a step.
    case none

    // Threads. The other thread is the event's value.
    case createThread(isDetached: Bool)
    case startThread, endThread, joinThread, detachThread
    /// The thread is cut off where it is by the end of the process.
    case cutOffThread
    case yield
    /// The thread is asleep until its next event.
    case sleep
    case awake
    case setPriority

    // Precedes another event of the thread
    /// The next wait has a deadline.
    case limitWait
    /// The next lock is one that the thread would not have waited for, or not forever.
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
    /// The wait is over, and the thread has reacquired the mutex.
    case unpark(isTimeout: Bool)
    case signal(toAll: Bool)

    // Memory. The event's value is the value read, or the new value.
    case read(Memory)
    case write(Memory)
    /// Reads and writes an atomic in one step.
    case update
    /// A compare-exchange that finds an unexpected value, which is only a read.
    case mismatch
    /// Adds a record to a file. The value is the number of records.
    case append

    /// Takes one of several possible alternatives.
    case choose
    /// Reports that something is wrong: an assertion, an error, no progress.
    case fail
    /// A call that the contract forbids, which had no effect.
    case misuse
    /// Something that also happens while an error unwinds the thread.
    case cleanUp
    /// The run is over: what threads record afterwards is only their unwinding.
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
        /// The object, or another one that the thread has read, is written.
        case change
        /// The same, and it keeps a processor busy until then.
        case changeSpinning
        /// The thread that is the event's value ends.
        case threadEnd
    }

    package enum Refusal: Sendable { case busy, timeout }

    package enum Memory: Sendable { case atomic, cell }

    package enum End: Sendable {
        /// The program calls `exit`, or its main thread returns.
        case exit
        case completion
        /// It continues forever, and is meant to.
        case forever
        /// It took too long, by the clock or in steps.
        case givenUp
        /// The process died.
        case death
        /// The user, or a schedule that does not fit, stopped it.
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

    /// Whether the run ended by itself.
    @inlinable package var isOwnEnd: Bool {
        switch self {
        case .endRun(.exit), .endRun(.completion), .endRun(.forever): true
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

    /// Whether the event's value is one that the program computes with: the same choices lead to the same value.
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

    /// Whether it is a step of the thread, not just a remark about one or the beginning of a wait. A writer that begins
    /// to wait takes a step, because it keeps readers out from then on.
    @inlinable package var isStep: Bool {
        switch self {
        case .wait(.lock(.writing)): true
        case .none, .cutOffThread, .sleep, .setPriority, .limitWait, .attempt, .wait, .fail, .cleanUp: false
        case .endRun(.exit): true
        case .endRun: false
        default: true
        }
    }

    @inlinable package var createsThread: Bool { if case .createThread = self { true } else { false } }

    /// Whether native threads record it before they do it, so that its consequences in other threads have later times.
    /// Other events are recorded afterwards.
    @inlinable package var isRecordedBefore: Bool {
        switch self {
        case .createThread, .yield, .release, .wait(.lock(.writing)), .park, .signal, .givePermit: true
        default: false
        }
    }

    /// Whether it shows that something went wrong.
    @inlinable package var isFailure: Bool {
        switch self {
        case .fail, .misuse, .cutOffThread, .endRun(.givenUp), .endRun(.death), .endRun(.stop): true
        default: false
        }
    }
}
