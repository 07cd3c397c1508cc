import Trace

/// What a blocked thread waits for, and where.
package struct Wait: Equatable, Sendable {
    package enum Target: Hashable, Sendable {
        case mutex(ObjectID)
        case reading(ObjectID)
        case writing(ObjectID)
        case semaphore(ObjectID)
        /// A signal of the condition, and then the mutex.
        case condition(ObjectID, mutex: ObjectID?)
        /// A write to one of the objects that were read; this object was read first.
        case memory(ObjectID)
        /// Like `memory`, but the waiting thread keeps a processor busy.
        case spin(ObjectID)
        /// The end of the thread.
        case thread(ThreadID)
    }

    package var thread: ThreadID
    package var target: Target
    package var site: SiteID
    /// The time when the wait began.
    package var time: UInt64
    /// Whether the wait has a deadline, so that it ends whatever other threads do.
    package var isTimed: Bool
    /// Whether the signal has arrived and only the mutex is missing. True only where that is certain: see
    /// `WaitForGraph.markSignaled`.
    package var isSignaled = false
    /// What the built object inside which the thread waits says about the wait; nil if it says nothing.
    package var said: Said?

    /// A wait inside a built object (such as a queue) in the program's terms. `need` and `state` are indices into the
    /// texts of the trace: what the thread waits for, such as `at HAS_DATA`, and what it found instead.
    package struct Said: Hashable, Sendable {
        package var object: ObjectID
        package var need: Int64
        package var state: Int64?
    }

    /// The wait that begins with an event. Returns nil if none does.
    init?(_ event: Event, isTimed: Bool) {
        switch event.kind.effect {
        case .wait(.lock(.mutex)): target = .mutex(event.object)
        case .wait(.lock(.reading)): target = .reading(event.object)
        case .wait(.lock(.writing)): target = .writing(event.object)
        case .wait(.permit): target = .semaphore(event.object)
        case .wait(.change): target = .memory(event.object)
        case .wait(.changeSpinning): target = .spin(event.object)
        case .park: target = .condition(event.object, mutex: event.valueAsObject)
        case .wait(.threadEnd):
            guard let thread = event.valueAsThread else { return nil }
            target = .thread(thread)
        case .none, .createThread, .startThread, .joinThread, .detachThread, .endThread, .cutOffThread, .yield, .sleep,
            .awake, .setPriority, .limitWait, .attempt, .take, .release, .takePermit, .givePermit, .refuse, .unpark,
            .signal, .read, .write, .free, .update, .mismatch, .append, .fence, .weaken, .reorder, .choose, .fail,
            .misuse,
            .cleanUp, .endRun:
            return nil
        }
        thread = event.thread
        site = event.site
        time = event.time
        self.isTimed = isTimed
    }

    /// The awaited object, unless the thread waits for another thread's end.
    package var object: ObjectID? {
        switch target {
        case .mutex(let object), .reading(let object), .writing(let object), .semaphore(let object),
            .condition(let object, _), .memory(let object), .spin(let object):
            object
        case .thread: nil
        }
    }

    /// Whether the thread keeps a processor busy while it waits.
    package var isSpinning: Bool { if case .spin = target { true } else { false } }

    package var isForLock: Bool {
        switch target {
        case .mutex, .reading, .writing: true
        case .semaphore, .condition, .memory, .spin, .thread: false
        }
    }

    /// The semaphore whose permit is awaited. Nil if the wait is for something else.
    package var semaphore: ObjectID? {
        if case .semaphore(let semaphore) = target { semaphore } else { nil }
    }

    /// The condition whose signal is awaited. Nil if the wait is for something else.
    package var condition: ObjectID? {
        if case .condition(let condition, _) = target { condition } else { nil }
    }
}
