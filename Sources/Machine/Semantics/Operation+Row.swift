import Trace

extension Operation {
    /// What all operations of a kind have in common, whatever the state. Everything that depends on the kind alone reads
    /// its row.
    package struct Row: Sendable {
        /// How long the operation waits.
        package enum Patience: UInt8, Sendable { case none, limited, endless }

        /// What it concerns.
        package enum Target: UInt8, Sendable { case nothing, object, thread, everything }

        /// What it may touch, whatever it finds.
        package enum Range: UInt8, Sendable {
            case nothing
            case readsObject, writesObject
            /// A condition, and the mutex of the wait.
            case writesMutexAndObject
            /// The life of a thread, and its seat.
            case writesThread
            case everything
        }

        /// What has to be so before it can be taken.
        enum Entrance: UInt8 {
            case open
            /// No thread may own the object.
            case free
            /// It depends on more.
            case unclear
        }

        /// Its result in a `deinit` that comes after the end of the run. Locks are free then, since all other threads
        /// have gone; whatever has a time limit reaches it; and what can never come is not waited for.
        package enum Belated: Sendable {
            case returns(Int)
            /// It works on the object's value as usual.
            case works
            /// It returns 0 if it has a time limit.
            case endsByLimit
            case impossible
        }

        /// Whose stores have to reach memory before the operation, on x86.
        package enum Drain: UInt8, Sendable {
            case none, own
            /// Its thread's, if it is sequentially consistent.
            case ownIfStrong
            /// Those of a thread that it joins, too.
            case ownAndTargets
            case everybodys
        }

        package var patience: Patience
        /// What it does when its time limit has passed.
        package var late: Act?
        package var target: Target
        package var range: Range
        var entrance: Entrance
        /// The lock that it asks for.
        package var lock: Effect.Lock?
        /// Whether it releases something: it never blocks, and cleanup code performs it.
        package var isRelease: Bool
        /// Whether it only reads a word, and may watch it.
        package var isLook: Bool
        /// Whether it changes its object whatever it finds.
        package var alwaysWrites: Bool
        /// Whether an initializer of a global can perform it without a step, if nothing has to be waited for.
        package var canBeUnseen: Bool
        package var belated: Belated
        /// How it changes a word of memory.
        package var change: Memory.Change
        /// The event of a step whose act does not say it: a signal's, or the one of an attempt that fails.
        var event: EventKind?
        /// The first event that it has in a search of graphs. Nil: that takes no such operation.
        package var graph: GraphEvent.Kind?
        package var drain: Drain
        /// What it is called before its object's name where a picture shows states. Nil: its kind's name.
        package var verb: StaticString?

        @inline(always) init(
            _ range: Range, on target: Target = .object, waits patience: Patience = .none, late: Act? = nil,
            entrance: Entrance = .open, lock: Effect.Lock? = nil, isRelease: Bool = false, isLook: Bool = false,
            alwaysWrites: Bool = false,
            canBeUnseen: Bool = true, belated: Belated = .returns(0), change: Memory.Change = .none,
            event: EventKind? = nil, graph: GraphEvent.Kind? = nil, drain: Drain = .own, verb: StaticString? = nil
        ) {
            self.range = range
            self.target = target
            self.patience = patience
            self.late = late
            self.entrance = entrance
            self.lock = lock
            self.isRelease = isRelease
            self.isLook = isLook
            self.alwaysWrites = alwaysWrites
            self.canBeUnseen = canBeUnseen
            self.belated = belated
            self.change = change
            self.event = event
            self.graph = graph
            self.drain = drain
            self.verb = verb
        }
    }
}

extension Operation.Kind {
    package var patience: Operation.Row.Patience { row.patience }

    /// Whether there are states in which an announced operation of the kind is blocked.
    package var canBlock: Bool { row.patience != .none && self != .wait }

    /// Whether the second argument is a deadline.
    @inline(always) package var hasDeadline: Bool { row.late != nil }

    /// Whether it is on an object of the program, like most operations. Not if it concerns a thread, the clock or
    /// everything.
    @inlinable @inline(always) package var isOnObject: Bool {
        // Kinds are numbered in the order of their declaration: those come first.
        unsafeBitCast(self, to: UInt8.self) >= unsafeBitCast(Self.lock, to: UInt8.self)
    }

    /// Whether it acquires a lock.
    package var takesLock: Bool { row.lock != nil }

    /// Whether it acquires a lock if that is possible at once, or in time.
    package var isAttemptToLock: Bool { row.lock != nil && row.patience != .endless }

    /// Whether it releases a lock.
    package var releasesLock: Bool { self == .unlock || self == .unlockShared }

    /// Whether it waits, without a time limit, for what certain threads do: it can be part of a cycle.
    package var waitsForThreads: Bool { row.patience == .endless && (row.lock != nil || row.target == .thread) }

    /// Whether it only reads a word, and may watch it.
    package var isLook: Bool { row.isLook }

    /// Whether it changes its object whatever it finds.
    package var alwaysWrites: Bool { row.alwaysWrites }

    /// Whether it may return and have changed nothing: it reads, compares, or attempts.
    package var mayChangeNothing: Bool { !row.alwaysWrites && !row.isRelease && (row.isLook || row.patience == .none) }

    /// Whether it asks for the end of a thread, and may find that it has not come.
    package var mayFindAlive: Bool { self == .tryJoin || self == .joinUntil }

    /// Whether it concerns a thread. Its object is the thread's seat, if it has one.
    package var isOnThread: Bool { row.target == .thread }

    /// Whether it releases something: it never blocks, and cleanup code performs it.
    package var isRelease: Bool { row.isRelease }

    /// Whether an initializer of a global can perform it without a step, if nothing has to be waited for.
    package var canBeUnseen: Bool { row.canBeUnseen }

    package var belated: Operation.Row.Belated { row.belated }
    package var change: Memory.Change { row.change }

    /// Whether it reads or writes a word of memory, a semaphore's value or a file.
    package var isOnMemory: Bool { row.isLook || row.change != .none || self == .append }
    package var range: Operation.Row.Range { row.range }
    package var verb: String { row.verb.map { "\($0)" } ?? "\(self)" }

    /// Whether it asks for a read-write lock as a writer.
    package var isWriteLock: Bool { row.lock == .writing }
}

extension Operation {
    /// The latest moment at which a wait for it ends.
    package var deadline: Int { kind.hasDeadline ? b : Operation.never }

    /// Whether it acquires a lock, and does not wait for it forever.
    package var isAttempt: Bool {
        kind.takesLock && (kind.patience == .none || (kind.patience == .limited && b != Operation.never))
    }

    /// The deadline of a sleep, or of a wait with a limit. It always passes: one that would be after the clock's last
    /// moment passes then.
    ///
    /// - Parameter duration: not negative.
    package static func deadline(_ duration: Int, after now: Int) -> Int {
        let (deadline, isTooLate) = now.addingReportingOverflow(duration)
        return isTooLate ? latest : min(deadline, latest)
    }
}
