import Trace

extension Act {
    /// What a step with this act means for the rest of the machine. The rows are in the file of the act's primitive.
    package struct Row: Sendable {
        package var order: Order
        package var reach: Reach
        package var others: Others
        package var finds: Finds
        /// What a thread waits for while it is blocked and this act will be its next.
        package var need: Need
        /// By how many the step changes the number of the lock's readers.
        package var readers: Int8
        /// Whether the operation's time limit may pass instead of this step, which does not give the operation what it
        /// asks for.
        package var isWaiting: Bool
        var event: RecordedEvent
        /// The kind of event that the step is in an execution graph (under weaker memory models).
        var graph: GraphEvent.Kind

        @inline(always) init(
            _ reach: Reach, order: Order = .nothing, others: Others = .none, finds: Finds = .ordered,
            need: Need = .nothing, readers: Int8 = 0, isWaiting: Bool = false, event: RecordedEvent = .none,
            graph: GraphEvent.Kind? = nil
        ) {
            self.reach = reach
            self.order = order
            self.others = others
            self.finds = finds
            self.need = need
            self.readers = readers
            self.isWaiting = isWaiting
            self.event = event
            self.graph = graph ?? (reach.isOnObject ? .sync : .other)
        }
    }

    /// How a step passes on, or acquires, what its thread has seen: its part of happens-before.
    package enum Order: UInt8, Sendable {
        case nothing
        /// The step accesses plain memory. That orders nothing, and can race.
        case readsPlainly, writesPlainly
        /// The thread sees everything done before the object was published.
        case acquires
        /// The next thread to acquire the object sees everything that this one has seen.
        case publishes
        case acquiresAndPublishes
        /// The step adds to what others published: the next thread to acquire sees what all of them had seen.
        case addsToPublished
        /// A reader adds to what readers published: only a writer that acquires sees it.
        case publishesToWriters
        /// A writer acquires what was published, also by readers.
        case acquiresFromReaders
        /// A wait on a condition releases its mutex, or reacquires it. A signal by itself orders nothing.
        case publishesMutex, acquiresMutex
        /// The thread sees everything that the target did.
        case joins
        /// The step reads an atomic, writes it, or both; it is a compare-exchange that fails, which only reads; or it
        /// is a fence. The operation's memory orders say what that orders.
        case loads, stores, updates, mismatches, fences
    }

    /// What a step touches, in terms of its operation's object, mutex or thread. With the operation this gives the
    /// step's footprint, on which the dependence relation of partial-order reduction rests.
    package enum Reach: UInt8, Sendable {
        case nothing
        case readsObject, writesObject
        case writesMutex, writesMutexAndObject
        case leavesWait, leavesWaitEarly
        case readsThread, readsThreadLate, writesThread, addsThread
        case readsClock, writesClock
        /// As `readsObject` or `writesObject`, and the clock: the attempt fails because its time limit has passed.
        case readsObjectLate, writesObjectLate
        case writesWorld
        case misuses

        /// Whether the step touches an object, which may be the mutex of a wait.
        @inline(always) var isOnObject: Bool {
            switch self {
            case .readsObject, .writesObject, .writesMutex, .writesMutexAndObject, .leavesWait, .leavesWaitEarly,
                .readsObjectLate, .writesObjectLate:
                true
            case .nothing, .readsThread, .readsThreadLate, .writesThread, .addsThread, .readsClock, .writesClock,
                .writesWorld, .misuses:
                false
            }
        }
    }

    /// What a step does to the state of threads other than its own.
    package enum Others: UInt8, Sendable {
        case none
        /// The step writes an object that other threads may watch.
        case watchers
        /// The step ends the wait of one thread (`waiter`) or of all (`waiters`), which then wait for their mutex.
        case waiter, waiters
        /// The step joins a thread.
        case target
        /// The step may change any other thread.
        case any
    }

    /// Whether everything that decided what the step found is ordered before it.
    package enum Finds: UInt8, Sendable {
        case ordered
        /// Ordered if the thread holds the mutex of the condition: the mutex orders, signals do not.
        case orderedByMutex
        /// Ordered if the operation acquires what it reads and releases what it writes. A write that does not release
        /// may be found by a step that is not ordered after it.
        case byOrders
        case unordered
    }

    /// What a blocked thread waits for.
    package enum Need: UInt8, Sendable {
        case nothing
        case mutex
        case mutexOfWait
        case reading, writing
        case permit
        case signal
        case threadEnd
        /// A write of something that the thread watches.
        case change
        case time
    }

    /// The event of a step, and where its value comes from.
    enum RecordedEvent: Sendable {
        /// The step has no event, or the runtime records it.
        case none
        case event(EventKind, Value = .zero)
        /// The event that the operation's row names, if any.
        case ofOperation
        /// The first event if the operation's result is not 0, otherwise the second.
        case byResult(EventKind, EventKind, Value)

        enum Value: UInt8, Sendable {
            case zero
            /// What the operation returns.
            case result
            /// The operation's first argument.
            case argument
            /// The object's value after the step.
            case word
            /// The thread that the operation concerns.
            case target
            /// The operation's memory order.
            case order
        }
    }
}

extension Act {
    package var order: Order { row.order }
    package var readers: Int8 { row.readers }
    @inline(always) package var reach: Reach { row.reach }

    /// Whether the thread gives up, because its time limit has passed.
    package var isLate: Bool {
        self == .leaveLate || self == .failLate || self == .failToWriteLate || self == .joinLate
    }

    /// Whether the step ends waits of other threads, which then wait for their mutex.
    var wakesThreads: Bool { row.others == .waiter || row.others == .waiters }

    /// Whether the step may change the state of another thread, apart from threads that watch what it writes.
    package var changesOtherThreads: Bool { row.others != .none && row.others != .watchers }

    /// Whether everything that decided what the step found is ordered before it.
    ///
    /// If that holds for all steps of an execution up to a race, then the execution can be rearranged so that the two
    /// accesses are adjacent: the steps that are ordered before neither access can be left out.
    ///
    /// - Parameter holdsMutex: whether the thread holds the mutex of the condition concerned.
    package func findsOnlyOrdered(_ operation: Operation, holdingMutex holdsMutex: Bool) -> Bool {
        switch row.finds {
        case .ordered: true
        case .orderedByMutex: holdsMutex
        case .byOrders: operation.orders.areStrong || ordersAll(operation.orders.order(of: self))
        case .unordered: false
        }
    }

    /// Whether a step on an atomic with this order is ordered after the write that it reads, and before the reads of
    /// what it writes.
    private func ordersAll(_ order: MemoryOrder) -> Bool {
        switch row.order {
        case .loads, .mismatches: order.acquires
        case .stores: order.releases
        case .updates: order.acquires && order.releases
        case .nothing, .readsPlainly, .writesPlainly, .acquires, .publishes, .acquiresAndPublishes, .addsToPublished,
            .publishesToWriters, .acquiresFromReaders, .publishesMutex, .acquiresMutex, .joins, .fences:
            true
        }
    }
}
