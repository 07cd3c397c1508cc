import CCompiled
import Machine
import Trace

/// What a thread of a compiled program asks for, as an operation of the machine.
extension compiled_request_t {
    var isOnMemory: Bool {
        kind.rawValue >= compiled_read.rawValue && kind.rawValue <= compiled_weak_compare_exchange.rawValue
    }

    /// Whether the request is only a note, after which its thread continues at once.
    var isNoStep: Bool {
        kind.rawValue >= compiled_forget.rawValue && kind.rawValue <= compiled_freed.rawValue
    }

    /// Whether the program's own code has asked for an order weaker than sequential consistency. Then `mutex` is a hash
    /// of the calls that led to the request.
    var hasWeakerOrder: Bool { detail == 1 && mutex != 0 && (isOnMemory || kind == compiled_fence) }

    var isPlain: Bool { kind == compiled_read || kind == compiled_write }

    var orders: Operation.Orders {
        if !isOnMemory && kind != compiled_fence || isPlain { return Operation.Orders() }
        return Operation.Orders(Self.order(order), failure: Self.order(failure_order))
    }

    /// C's memory orders: relaxed, consume, acquire, release, acq_rel, seq_cst.
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

    /// Both sides of the interface are built together, so an unknown detail is an error of threadlab.
    private func unknownDetail() -> Never {
        OwnMistake.end(
            "a compiled program has asked for a kind of object that the engine does not know: \(detail) of request "
                + "\(kind.rawValue)")
    }

    func unknown() -> Never {
        OwnMistake.end("a compiled program has asked for what the engine does not know: request \(kind.rawValue)")
    }

    /// The lock for whose release threads wait at this object: the runtime gives the object the address of the byte
    /// after the lock's. Nil: the object is another one.
    var awaitedLock: UInt64? {
        let isBeside = object & Self.beside != 0 && object & 1 == 1
        return detail == compiled_part.rawValue && isBeside ? object & ~Self.beside - 1 : nil
    }

    /// `COMPILED_BESIDE`, a macro that Swift does not import. It marks an object that the runtime keeps outside the
    /// memory at the object's address.
    static let beside: UInt64 = 1 << 56

    var isOnCondition: Bool { kind == compiled_wait || kind == compiled_signal || kind == compiled_broadcast }

    /// The machine's operation. Nil: the request is for something else.
    var operationKind: Operation.Kind? {
        switch kind {
        case compiled_lock: .lock
        case compiled_try_lock: .tryLock
        case compiled_lock_until: .lockUntil
        case compiled_unlock: .unlock
        case compiled_wait: .wait
        case compiled_signal: .signal
        case compiled_broadcast: .broadcast
        case compiled_semaphore_wait: .semaphoreWait
        case compiled_semaphore_try_wait: .semaphoreTryWait
        case compiled_semaphore_wait_until: .semaphoreWaitUntil
        case compiled_semaphore_signal: .semaphoreSignal
        case compiled_semaphore_value: .semaphoreValue
        case compiled_read_lock: .readLock
        case compiled_try_read_lock: .tryReadLock
        case compiled_read_lock_until: .readLockUntil
        case compiled_write_lock: .writeLock
        case compiled_try_write_lock: .tryWriteLock
        case compiled_write_lock_until: .writeLockUntil
        case compiled_unlock_shared: .unlockShared
        case compiled_spawn: .spawn
        case compiled_join: .join
        case compiled_try_join: .tryJoin
        case compiled_join_until: .joinUntil
        case compiled_detach: .detach
        case compiled_yield: .yield
        case compiled_sleep: .sleepUntil
        case compiled_exit: .exit
        case compiled_read: .read
        case compiled_write: .write
        case compiled_load: .load
        case compiled_store: .store
        case compiled_exchange: .exchange
        case compiled_add: .add
        case compiled_and: .bitAnd
        case compiled_or: .bitOr
        case compiled_xor: .bitXor
        case compiled_compare_exchange: .compareExchange
        case compiled_weak_compare_exchange: .weakCompareExchange
        case compiled_fence: .fence
        case compiled_read_clock: .readClock
        case compiled_choose: .choose
        case compiled_destroy: .destroy
        // Swift does not know the cases of a C enumeration. The remaining requests end a thread or the execution, or
        // are unknown.
        default: nil
        }
    }

    /// What a trace calls the object.
    var shownKind: ObjectKind {
        switch kind {
        case _ where isOnCondition:
            switch detail {
            case compiled_futex.rawValue: .futex
            case compiled_part.rawValue: .part
            case compiled_normal_mutex.rawValue, compiled_error_checking_mutex.rawValue,
                compiled_recursive_mutex.rawValue:
                .condition
            default: unknownDetail()
            }
        case compiled_semaphore_wait, compiled_semaphore_try_wait, compiled_semaphore_wait_until,
            compiled_semaphore_signal, compiled_semaphore_value:
            .semaphore
        case compiled_read_lock, compiled_try_read_lock, compiled_read_lock_until, compiled_write_lock,
            compiled_try_write_lock, compiled_write_lock_until, compiled_unlock_shared:
            .readWriteLock
        case compiled_read, compiled_write: .cell
        case _ where isOnMemory: .atomic
        default: lockKind
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
