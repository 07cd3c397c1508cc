/// One thing that one thread did, or that happened to the run as a whole.
///
/// Names, sites and texts are indices into the tables of the `TraceDocument` that holds the event, so that an event is
/// a plain value of fixed size and a detector compares integers.
package struct Event: Equatable, Sendable {
    /// Nanoseconds since the run began: of the monotonic clock in native runs, of the virtual clock in controlled ones.
    package var time: UInt64
    package var kind: EventKind
    /// The memory order of an operation on an atomic. For other events: the default order.
    package var order: MemoryOrder
    package var thread: ThreadID
    package var object: ObjectID
    package var site: SiteID
    package var remark: RemarkID
    /// The value, whose meaning depends on the kind (`EventKind.meaning`) or the remark: see
    /// `TraceDocument.meaning(of:)`.
    package var value: Int64

    /// Stands for a value that is not a number. Such an event is shown without a value.
    package static let noNumber = Int64.min

    package init(
        time: UInt64, thread: ThreadID, kind: EventKind, object: ObjectID = .none, value: Int64 = 0,
        site: SiteID = .unknown, remark: RemarkID = .none, order: MemoryOrder = .seqcst
    ) {
        self.time = time
        self.kind = kind
        self.order = order
        self.thread = thread
        self.object = object
        self.site = site
        self.remark = remark
        self.value = value
    }

    /// The thread that is the value. Nil: the kind's value is not a thread, or no thread can have that number.
    package var valueAsThread: ThreadID? {
        guard kind.meaning == .thread, let index = UInt16(exactly: value) else { return nil }
        return ThreadID(Int(index))
    }

    /// The object that is the value. Nil: the kind's value is not an object, or no object can have that number.
    package var valueAsObject: ObjectID? {
        guard kind.meaning == .object, let index = UInt32(exactly: value) else { return nil }
        return ObjectID(Int(index))
    }

    /// The memory order that is the value. Nil: the kind's value is not an order, or no order has that number.
    package var valueAsOrder: MemoryOrder? {
        guard kind.meaning == .order else { return nil }
        return UInt8(exactly: value).flatMap(MemoryOrder.init(rawValue:))
    }
}

/// A thread of the run: an index into the trace's `threads`, in the order of creation. The main thread is number 0.
package struct ThreadID: Hashable, Comparable, Sendable {
    package let index: UInt16

    package init(_ index: Int) { self.index = UInt16(index) }

    package static let main = ThreadID(0)

    package static func == (a: Self, b: Self) -> Bool { a.index == b.index }
    package static func < (a: Self, b: Self) -> Bool { a.index < b.index }
}

/// A synchronization object of the run: an index into the trace's `objects`, in the order of creation, from 1.
package struct ObjectID: Hashable, Comparable, Sendable {
    package let index: UInt32

    package init(_ index: Int) { self.index = UInt32(index) }

    /// For events that concern no object.
    package static let none = ObjectID(0)

    package static func == (a: Self, b: Self) -> Bool { a.index == b.index }
    package static func < (a: Self, b: Self) -> Bool { a.index < b.index }
}

/// The number of a remark: an index into the trace's `remarks`, in the order of first use, from 1.
package struct RemarkID: Hashable, Sendable {
    package let index: UInt16

    package init(_ index: Int) { self.index = UInt16(index) }

    /// For events that are not remarks, and remarks without words.
    package static let none = RemarkID(0)

    package static func == (a: Self, b: Self) -> Bool { a.index == b.index }
}

/// A place in the scenario's source: an index into the trace's `sites`.
package struct SiteID: Hashable, Sendable {
    package let index: UInt32

    package init(_ index: Int) { self.index = UInt32(index) }

    package static let unknown = SiteID(0)

    package static func == (a: Self, b: Self) -> Bool { a.index == b.index }
}

/// The kind of a synchronization object. The raw value is the word in saved traces.
package enum ObjectKind: String, CaseIterable, Sendable {
    case mutex
    case errorCheckingMutex = "error-checking mutex"
    case recursiveMutex = "recursive mutex"
    case inheritingMutex = "priority-inheriting mutex"
    case ceilingMutex = "priority-ceiling mutex"
    case condition
    case semaphore
    case readWriteLock = "read-write lock"
    case atomic
    case cell
    /// Memory whose value is true or false.
    case booleanAtomic = "Boolean atomic"
    case booleanCell = "Boolean cell"
    /// A list of values in plain memory. The value of its events is a text.
    case list
    /// Memory whose value is the address of other memory. See `TraceDocument.targets`.
    case pointerAtomic = "pointer atomic"
    case pointerCell = "pointer cell"
    /// A slot for a thread-local value.
    case slot
    case file
    /// A word of memory on which threads wait by the system call `futex`.
    case futex
    // Built on top of the base primitives
    case conditionLock = "condition lock"
    case spinLock = "spin lock"
    case distributedLock = "distributed lock"
    case queue
    case workQueue = "work queue"
    case operation
    case runLoop = "run loop"
    case inputSource = "input source"
    case timer, observer, port
    /// A quantity that the scenario measures, such as the length of a queue.
    case meter
    /// An object with a reference count.
    case managedObject = "object"
    /// A POSIX signal.
    case signal
    /// An object that the program has built itself, and named.
    case custom = "custom object"
    /// A lock, condition or flag inside a built object. Reports show the built object instead. If the part has no
    /// `TraceDocument.Object.owner`, they show the part, but only where a thread is blocked on it.
    case part
}

extension ObjectKind {
    /// Whether its value is true or false, which events write as 1 and 0.
    package var isBoolean: Bool { self == .booleanAtomic || self == .booleanCell }

    /// Whether its value is an address.
    package var isPointer: Bool { self == .pointerAtomic || self == .pointerCell }

    /// What the number that is the value of such an object stands for.
    package enum ValueForm: Sendable {
        case number
        /// 1 and 0 stand for true and false.
        case truth
        /// An address: see `TraceDocument.targets`.
        case pointer
        /// The number of a text.
        case text
    }

    package var valueForm: ValueForm {
        isBoolean ? .truth : isPointer ? .pointer : self == .list ? .text : .number
    }

    /// The name of such an object if it was given none.
    package var defaultName: String {
        switch self {
        case .booleanAtomic, .pointerAtomic: Self.atomic.rawValue
        case .booleanCell, .pointerCell: Self.cell.rawValue
        default: rawValue
        }
    }

    /// An atomic whose value is of this type.
    package static func atomic(of type: Any.Type) -> ObjectKind { type == Bool.self ? .booleanAtomic : .atomic }

    /// A cell whose value is of this type.
    package static func cell(of type: Any.Type) -> ObjectKind { type == Bool.self ? .booleanCell : .cell }
}
