import CCompiled
import Machine
import Trace

/// A request of a compiled program's thread, as the machine needs it: as an operation, with kinds of objects and memory
/// orders.
extension compiled_request_t {
    /// Whether it is an access to memory, ordinary or atomic. The table of requests lists these one after the other.
    var isOnMemory: Bool {
        kind.rawValue >= compiled_read.rawValue && kind.rawValue <= compiled_weak_compare_exchange.rawValue
    }

    /// Whether the request is only a note, after which its thread continues at once.
    var isNoStep: Bool { RequestTable.role(of: kind) == compiled_is_note }

    /// Whether the program's own code has asked for an order weaker than sequential consistency. Then `mutex` is a hash
    /// of the calls that led to the request, or 0.
    var hasWeakerOrder: Bool { detail == 1 && (isOnMemory && !isPlain || kind == compiled_fence) }

    /// Whether it is an ordinary access to memory.
    var isPlain: Bool { kind == compiled_read || kind == compiled_write }

    /// Whether it is a write after which the memory no longer exists, because it is freed or unmapped.
    var endsMemory: Bool { kind == compiled_write && detail != compiled_stores.rawValue }

    /// The memory orders. Ordinary accesses have none.
    var orders: Operation.Orders {
        if !isOnMemory && kind != compiled_fence || isPlain { return Operation.Orders() }
        return Operation.Orders(Self.order(order), failure: Self.order(failure_order))
    }

    /// The memory order with C's number: 0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst.
    private static func order(_ number: UInt8) -> MemoryOrder {
        switch number {
        case 0: .relaxed
        case 1, 2: .acquire
        case 3: .release
        case 4: .acqRel
        case 5: .seqcst
        default:
            OwnMistake.end("a compiled program has asked for a memory order that the engine does not know: \(number)")
        }
    }

    /// When a wait ends without success, in nanoseconds of the virtual clock.
    var deadline: Int { b == Int64.max ? Operation.never : Int(b) }

    var mutexKind: ObjectState.Kind {
        switch detail {
        case compiled_recursive_mutex.rawValue: .recursiveMutex
        case compiled_error_checking_mutex.rawValue: .errorCheckingMutex
        case compiled_normal_mutex.rawValue, compiled_part.rawValue, compiled_futex.rawValue: .normalMutex
        default: unknownDetail()
        }
    }

    var sharedLockKind: ObjectState.Kind {
        switch detail {
        case compiled_of_writers_lock.rawValue: .writersFirstLock
        case compiled_of_shared_lock.rawValue: .readersFirstLock
        default: unknownDetail()
        }
    }

    /// Ends the process. The runtime and the engine are built together, so an unknown detail is an error of threadlab.
    private func unknownDetail() -> Never {
        OwnMistake.end(
            "a compiled program has asked for a kind of object that the engine does not know: \(detail) of request "
                + "\(kind.rawValue)")
    }

    /// Ends the process, because of an unknown request.
    func unknown() -> Never {
        OwnMistake.end("a compiled program has asked for what the engine does not know: request \(kind.rawValue)")
    }

    /// The lock for whose release threads wait at this object. The runtime gives such an object the lock's address plus
    /// 1, which is odd because locks are aligned. Nil: the object is another one.
    var awaitedLock: UInt64? {
        let isBeside = object & Self.beside != 0 && object & 1 == 1
        return detail == compiled_part.rawValue && isBeside ? object & ~Self.beside - 1 : nil
    }

    /// `COMPILED_BESIDE`, a macro that Swift does not import. It marks an object that the runtime keeps outside the
    /// memory at the object's address.
    static let beside: UInt64 = 1 << 56

    var isOnCondition: Bool { kind == compiled_wait || kind == compiled_signal || kind == compiled_broadcast }

    /// The step that the request asks for. Nil: it is not a step, or is unknown.
    var step: RequestTable.Step? { RequestTable.step(of: kind) }

    /// What a trace calls the object.
    var shownKind: ObjectKind {
        // The only other request with an object to show is `forget`: a lock, condition or semaphore is made again.
        guard let step else { return lockKind }
        return switch step.subject {
        case .mutex, .any: lockKind
        case .condition, .waiting: conditionKind
        case .semaphore: .semaphore
        case .sharedLock: .readWriteLock
        case .plain: .cell
        case .atomic: .atomic
        case .fence, .number, .nothing: unknown()
        }
    }

    private var conditionKind: ObjectKind {
        switch detail {
        case compiled_futex.rawValue: .futex
        case compiled_part.rawValue: .part
        // A wait has the kind of its mutex.
        case compiled_normal_mutex.rawValue, compiled_error_checking_mutex.rawValue, compiled_recursive_mutex.rawValue:
            .condition
        default: unknownDetail()
        }
    }

    /// What a trace calls an object that is locked, destroyed or made again.
    var lockKind: ObjectKind {
        switch detail {
        case compiled_recursive_mutex.rawValue: .recursiveMutex
        case compiled_error_checking_mutex.rawValue: .errorCheckingMutex
        case compiled_of_condition.rawValue: .condition
        case compiled_of_semaphore.rawValue: .semaphore
        case compiled_of_shared_lock.rawValue, compiled_of_writers_lock.rawValue: .readWriteLock
        case compiled_part.rawValue, compiled_futex.rawValue: .part
        case compiled_normal_mutex.rawValue: .mutex
        default: unknownDetail()
        }
    }
}

/// What the table of requests (`COMPILED_REQUESTS`) says about each of them: its role and, for a step, the operation
/// and its subject.
enum RequestTable {
    /// What a step is on. The raw values are the words of the table.
    enum Subject: String {
        case mutex, semaphore, condition
        /// A condition, and the mutex that the thread holds.
        case waiting
        case sharedLock = "shared_lock"
        /// Memory, by an ordinary or an atomic access.
        case plain, atomic
        case fence
        /// The object at the address, whatever it is.
        case any
        /// A thread, a time or a choice: the request has its number.
        case number
        case nothing
    }

    struct Step {
        let operation: Operation.Kind
        let subject: Subject
    }

    private struct Row {
        let role: compiled_role_t
        let step: Step?
    }

    private static let rows: [Row] = {
        let kinds = (UInt8.min...UInt8.max).lazy.compactMap(Operation.Kind.init)
        let byName = Dictionary(uniqueKeysWithValues: kinds.map { ("\($0)", $0) })
        return (0..<compiled_kind_count.rawValue).map { number in
            let meaning = compiled_meaning(compiled_kind_t(number))
            guard let operation = meaning.operation, let subject = meaning.subject else {
                return Row(role: meaning.role, step: nil)
            }
            let names = (operation: String(cString: operation), subject: String(cString: subject))
            guard let operation = byName[names.operation], let subject = Subject(rawValue: names.subject) else {
                OwnMistake.end(
                    "request \(number) names an unknown step: '\(names.operation)' on '\(names.subject)'")
            }
            return Row(role: meaning.role, step: Step(operation: operation, subject: subject))
        }
    }()

    private static func row(of kind: compiled_kind_t) -> Row? {
        kind.rawValue < compiled_kind_count.rawValue ? rows[Int(kind.rawValue)] : nil
    }

    static func role(of kind: compiled_kind_t) -> compiled_role_t { row(of: kind)?.role ?? compiled_is_unknown }
    static func step(of kind: compiled_kind_t) -> Step? { row(of: kind)?.step }
}
