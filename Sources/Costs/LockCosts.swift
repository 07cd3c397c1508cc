import CBench
import Dispatch
import Primitives
import Synchronization

/// What locks, semaphores, a once and a barrier cost, free and contended. One operation on a lock or a semaphore takes
/// it and releases it.
enum LockCosts {
    static var all: [TimedCost] { mutexes + readWriteLocks + spinLocks + semaphores + builtLocks }

    private static let count = 20_000
    /// Contended operations may switch threads, which takes longer, so fewer of them are timed.
    private static let contendedCount = 5_000

    private static var mutexes: [TimedCost] {
        [
            TimedCost(
                name: "lock and unlock a free mutex", count: count, guide: "about 0.2 µs",
                contenders: [
                    .init(name: "pthread") { cbench_lock_unlock(UInt64($0)) },
                    lab { lockAndUnlock(Primitives.Mutex("m")) },
                    .init(name: "Synchronization") { count in
                        let mutex = Synchronization.Mutex(0)
                        return nanoseconds { for _ in 0..<count { mutex.withLock { $0 &+= 1 } } }
                    },
                    .init(name: "Dispatch (serial queue, sync)") { count in
                        let queue = DispatchQueue(label: "costs")
                        var sum = 0
                        return nanoseconds { for _ in 0..<count { queue.sync { sum &+= 1 } } }
                    },
                ]),
            TimedCost(
                name: "the same, while another thread does it too", count: contendedCount, operations: 2,
                contenders: [
                    .init(name: "pthread") { cbench_contended(UInt64($0)) },
                    contendedLab { lockAndUnlock(Primitives.Mutex("m")) },
                    .init(name: "Synchronization") { count in
                        let mutex = SharedMutex()
                        return inBothThreads { for _ in 0..<count { mutex.value.withLock { $0 &+= 1 } } }
                    },
                    .init(name: "Dispatch (serial queue, sync)") { count in
                        let queue = DispatchQueue(label: "costs")
                        return inBothThreads { for _ in 0..<count { queue.sync {} } }
                    },
                ]),
            TimedCost(
                name: "try to lock a free mutex, and unlock it", count: count,
                contenders: [
                    .init(name: "pthread") { cbench_try_lock(UInt64($0)) },
                    lab {
                        let mutex = Primitives.Mutex("m")
                        return { if try mutex.tryLock() { try mutex.unlock() } }
                    },
                ]),
            TimedCost(
                name: "lock and unlock a free recursive mutex", count: count,
                contenders: [
                    .init(name: "pthread") { cbench_recursive(UInt64($0)) },
                    lab { lockAndUnlock(Primitives.Mutex("m", .recursive)) },
                ]),
        ]
    }

    private static func lockAndUnlock(_ mutex: Primitives.Mutex) -> LabOperation {
        {
            try mutex.lock()
            try mutex.unlock()
        }
    }

    private static var readWriteLocks: [TimedCost] {
        let write: @Sendable () -> LabOperation = {
            let lock = ReadWriteLock("l")
            return {
                try lock.lockToWrite()
                try lock.unlock()
            }
        }
        return [
            TimedCost(
                name: "lock and unlock a free read-write lock, to read", count: count,
                contenders: [
                    .init(name: "pthread") { cbench_read_lock(UInt64($0)) },
                    lab {
                        let lock = ReadWriteLock("l")
                        return {
                            try lock.lockToRead()
                            try lock.unlock()
                        }
                    },
                ]),
            TimedCost(
                name: "lock and unlock a free read-write lock, to write", count: count,
                contenders: [.init(name: "pthread") { cbench_write_lock(UInt64($0)) }, lab(write)]),
            TimedCost(
                name: "the same, while another thread does it too", count: contendedCount, operations: 2,
                contenders: [
                    .init(name: "pthread") { cbench_contended_write_lock(UInt64($0)) }, contendedLab(write),
                ]),
        ]
    }

    private static var spinLocks: [TimedCost] {
        let spin: @Sendable () -> LabOperation = {
            let lock = SpinLock("l")
            return {
                try lock.lock()
                try lock.unlock()
            }
        }
        return [
            TimedCost(
                name: "lock and unlock a free spin lock", count: count,
                contenders: [.init(name: "pthread") { cbench_spin_lock(UInt64($0)) }, lab(spin)]),
            TimedCost(
                name: "the same, while another thread does it too", count: contendedCount, operations: 2,
                contenders: [
                    .init(name: "pthread") { cbench_contended_spin_lock(UInt64($0)) }, contendedLab(spin),
                ]),
        ]
    }

    private static var semaphores: [TimedCost] {
        let permit: @Sendable () throws -> LabOperation = {
            let semaphore = try Semaphore("s", value: 1)
            return {
                try semaphore.wait()
                try semaphore.signal()
            }
        }
        return [
            TimedCost(
                name: "wait for a free semaphore, and signal it", count: count,
                contenders: [
                    .init(name: "pthread") { cbench_semaphore(UInt64($0)) }, lab(permit),
                    .init(name: "Dispatch") { count in
                        let semaphore = DispatchSemaphore(value: 1)
                        return nanoseconds {
                            for _ in 0..<count {
                                semaphore.wait()
                                semaphore.signal()
                            }
                        }
                    },
                ]),
            TimedCost(
                name: "the same, while another thread does it too", count: contendedCount, operations: 2,
                contenders: [
                    .init(name: "pthread") { cbench_contended_semaphore(UInt64($0)) }, contendedLab(permit),
                    .init(name: "Dispatch") { count in
                        let semaphore = DispatchSemaphore(value: 1)
                        return inBothThreads {
                            for _ in 0..<count {
                                semaphore.wait()
                                semaphore.signal()
                            }
                        }
                    },
                ]),
        ]
    }

    // MARK: - What is made of locks

    private static var builtLocks: [TimedCost] { [conditionLock, conditionLockContended, setter, once, barrier] }

    private static let takeConditionLock: @Sendable () -> LabOperation = {
        let lock = ConditionLock("l")
        return {
            try lock.lock(whenCondition: 0)
            try lock.unlock(withCondition: 0)
        }
    }

    private static var conditionLock: TimedCost {
        TimedCost(
            name: "lock and unlock a free condition lock, when its condition is met", count: count,
            contenders: [lab(takeConditionLock)])
    }

    private static var conditionLockContended: TimedCost {
        TimedCost(
            name: "the same, while another thread does it too", count: contendedCount, operations: 2,
            contenders: [contendedLab(takeConditionLock)])
    }

    /// The critical section of a property's setter, protected in three ways. The article "Thread-Safe Class Design"
    /// asks why not to use `@synchronized` for it.
    private static var setter: TimedCost {
        TimedCost(
            name: "a setter: its section with a mutex, with a token (@synchronized), with a striped lock", count: count,
            contenders: [
                lab(named: "threadlab (mutex)") {
                    let mutex = Primitives.Mutex("m")
                    return { try mutex.withLock {} }
                },
                lab(named: "threadlab (token)") {
                    let (locks, token) = (TokenLocks(), Token())
                    return { try locks.synchronized(token) {} }
                },
                lab(named: "threadlab (striped lock)") {
                    let locks = try StripedLocks()
                    return { try locks.withLock(of: 1) {} }
                },
            ])
    }

    /// The object whose lock `synchronized` takes.
    private final class Token: Sendable {}

    private static var once: TimedCost {
        TimedCost(
            name: "pass a once that is done", count: count,
            contenders: [
                .init(name: "pthread") { cbench_once(UInt64($0)) },
                lab {
                    let once = Once("o")
                    return { try once.run {} }
                },
            ])
    }

    /// Both threads have to be scheduled for each meeting, so few of them are timed.
    private static var barrier: TimedCost {
        TimedCost(
            name: "meet another thread at a barrier", count: 500,
            contenders: [
                .init(name: "pthread") { cbench_barrier(UInt64($0)) },
                contendedLab {
                    let barrier = try Barrier("b", parties: 2)
                    return { _ = try barrier.wait() }
                },
            ])
    }
}

/// Puts the mutex, which cannot be copied, into an object that closures of two threads can share.
private final class SharedMutex: Sendable {
    let value = Synchronization.Mutex(0)
}
