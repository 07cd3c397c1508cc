import Trace

extension Operation {
    /// What all operations of a kind have in common, in every state: a row of the table of kinds (`Kind.row`).
    package struct Row: Sendable {
        /// How long the operation waits.
        package enum Patience: UInt8, Sendable { case none, limited, endless }

        /// What the operation concerns.
        package enum Target: UInt8, Sendable { case nothing, object, thread, everything }

        /// What the operation may touch at most.
        package enum Range: UInt8, Sendable {
            case nothing
            case readsObject, writesObject
            /// A condition, and the mutex of the wait.
            case writesMutexAndObject
            /// The life of a thread, and its seat.
            case writesThread
            case everything
        }

        /// What the operation needs before it can be taken.
        enum Entrance: UInt8 {
            /// Nothing.
            case open
            /// That no thread owns the object.
            case free
            /// Something else, so that the rule has to be asked.
            case unclear
        }

        /// The operation's result in a `deinit` that runs after the end of the run. All other threads have ended, so
        /// locks are free, time limits pass, and an operation does not wait for what can never come.
        package enum Belated: Sendable {
            case returns(Int)
            /// It uses the object's value as in the run.
            case works
            /// It returns 0 if it has a time limit. Otherwise it is impossible.
            case endsByLimit
            /// It throws an error, because the run has ended.
            case impossible
        }

        package var patience: Patience
        /// The act when the operation's time limit has passed. Nil: operations of the kind have no time limit.
        package var late: Act?
        package var target: Target
        package var range: Range
        var entrance: Entrance
        /// The lock that the operation asks for.
        package var lock: Effect.Lock?
        /// Whether the operation releases something: it never blocks, and cleanup code performs it.
        package var isRelease: Bool
        /// Whether the operation only reads a word, and may watch it.
        package var isLook: Bool
        /// Whether the operation changes its object whatever it finds.
        package var alwaysWrites: Bool
        /// Whether the initializer of a global can perform the operation without a step, if it need not wait.
        package var canBeUnseen: Bool
        package var belated: Belated
        /// How the operation changes a word of memory.
        package var change: Memory.Change
        /// The event of an act that does not name one: that of a signal, or of a failed attempt.
        var event: EventKind?
        /// The operation's first event in a search of graphs. Nil: graphs have no such operation.
        package var graph: GraphEvent.Kind?
        /// The verb before the object's name in a picture of states. Nil: the name of the kind.
        package var verb: StaticString?

        @inline(always) init(
            _ range: Range, on target: Target = .object, waits patience: Patience = .none, late: Act? = nil,
            entrance: Entrance = .open, lock: Effect.Lock? = nil, isRelease: Bool = false, isLook: Bool = false,
            alwaysWrites: Bool = false,
            canBeUnseen: Bool = true, belated: Belated = .returns(0), change: Memory.Change = .none,
            event: EventKind? = nil, graph: GraphEvent.Kind? = nil, verb: StaticString? = nil
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
            self.verb = verb
        }
    }
}

extension Operation.Kind {
    package var patience: Operation.Row.Patience { row.patience }

    /// Whether there are states in which an announced operation of the kind is blocked.
    /// A wait on a condition begins at once, and only then waits.
    package var canBlock: Bool { row.patience != .none && self != .wait }

    /// Whether the second argument is a deadline.
    @inline(always) package var hasDeadline: Bool { row.late != nil }

    /// Whether it is on an object of the program, like most operations, or is `choose`. The others concern a thread,
    /// the clock, memory as a whole, or nothing.
    @inlinable @inline(always) package var isOnObject: Bool {
        // Kinds are numbered in the order of declaration, and those on objects begin with `lock`.
        unsafeBitCast(self, to: UInt8.self) >= unsafeBitCast(Self.lock, to: UInt8.self)
    }

    package var takesLock: Bool { row.lock != nil }

    /// Whether it asks for a lock and may give up, at once or after a time limit.
    package var isAttemptToLock: Bool { row.lock != nil && row.patience != .endless }

    package var releasesLock: Bool { self == .unlock || self == .unlockShared }

    /// Whether it waits without a time limit for certain threads to act, so that it can be part of a cycle.
    package var waitsForThreads: Bool { row.patience == .endless && (row.lock != nil || row.target == .thread) }

    /// Whether it only reads a word, and may watch it.
    package var isLook: Bool { row.isLook }

    /// Whether it changes its object whatever it finds.
    package var alwaysWrites: Bool { row.alwaysWrites }

    /// Whether it may return without having changed anything: it reads, compares, or makes one attempt.
    package var mayChangeNothing: Bool { !row.alwaysWrites && !row.isRelease && (row.isLook || row.patience == .none) }

    /// Whether it asks for the end of a thread, and may find that the thread has not ended.
    package var mayFindAlive: Bool { self == .tryJoin || self == .joinUntil }

    /// Whether it concerns a thread. Its object is the thread's seat, if it has one.
    package var isOnThread: Bool { row.target == .thread }

    /// Whether it releases something: it never blocks, and cleanup code performs it.
    package var isRelease: Bool { row.isRelease }

    /// Whether the initializer of a global can perform it without a step, if it need not wait.
    package var canBeUnseen: Bool { row.canBeUnseen }

    package var belated: Operation.Row.Belated { row.belated }
    package var change: Memory.Change { row.change }

    /// Whether it reads or writes a word of memory, reads a semaphore's value, or appends to a file.
    package var isOnMemory: Bool { row.isLook || row.change != .none || self == .append }
    package var range: Operation.Row.Range { row.range }
    package var verb: String { row.verb.map { "\($0)" } ?? "\(self)" }

    /// Whether it asks for a read-write lock as a writer.
    package var isWriteLock: Bool { row.lock == .writing }
}

extension Operation {
    /// The latest moment at which a wait for the operation ends, or `never`.
    package var deadline: Int { kind.hasDeadline ? b : Operation.never }

    /// Whether it asks for a lock, and gives up at once or at a deadline.
    package var isAttempt: Bool {
        kind.takesLock && (kind.patience == .none || (kind.patience == .limited && b != Operation.never))
    }

    /// The deadline of a sleep, or of a wait with a limit. A deadline beyond the clock's last moment becomes that
    /// moment, so that every deadline passes eventually.
    ///
    /// - Parameter duration: in nanoseconds, not negative.
    package static func deadline(_ duration: Int, after now: Int) -> Int {
        let (deadline, isTooLate) = now.addingReportingOverflow(duration)
        return isTooLate ? latest : min(deadline, latest)
    }
}
