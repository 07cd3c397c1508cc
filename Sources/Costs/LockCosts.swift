import CBench
import Dispatch
import Primitives
import Synchronization

/// Locks and semaphores, free and contended. One operation is taking and releasing it.
enum LockCosts {
    static var all: [TimedCost] { [free, contended, tried, recursive, readLock, semaphore] }

    private static let count = 100_000

    private static var free: TimedCost {
        TimedCost(
            name: "lock and unlock a free mutex", count: count, guide: "about 0.2 µs",
            contenders: [
                .init(name: "pthread") { cbench_lock_unlock(UInt64($0)) },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let mutex = Primitives.Mutex("m")
                        return try nanoseconds {
                            for _ in 0..<count {
                                try mutex.lock()
                                try mutex.unlock()
                            }
                        }
                    }
                },
                .init(name: "Synchronization") { count in
                    let mutex = Synchronization.Mutex(0)
                    return nanoseconds { for _ in 0..<count { mutex.withLock { $0 &+= 1 } } }
                },
                .init(name: "Dispatch (serial queue, sync)") { count in
                    let queue = DispatchQueue(label: "costs")
                    var sum = 0
                    return nanoseconds { for _ in 0..<count { queue.sync { sum &+= 1 } } }
                },
            ])
    }

    private static var contended: TimedCost {
        TimedCost(
            name: "the same, while another thread does it too", count: count / 2, operations: 2,
            contenders: [
                .init(name: "pthread") { cbench_contended(UInt64($0)) },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let mutex = Primitives.Mutex("m")
                        let compete: @Sendable () throws -> Void = {
                            for _ in 0..<count {
                                try mutex.lock()
                                try mutex.unlock()
                            }
                        }
                        return try nanoseconds {
                            let other = try Thread("other") { try compete() }
                            try compete()
                            try other.join()
                        }
                    }
                },
            ])
    }

    private static var tried: TimedCost {
        TimedCost(
            name: "try to lock a free mutex, and unlock it", count: count,
            contenders: [
                .init(name: "pthread") { cbench_try_lock(UInt64($0)) },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let mutex = Primitives.Mutex("m")
                        return try nanoseconds { for _ in 0..<count where try mutex.tryLock() { try mutex.unlock() } }
                    }
                },
            ])
    }

    private static var recursive: TimedCost {
        TimedCost(
            name: "lock and unlock a free recursive mutex", count: count,
            contenders: [
                .init(name: "pthread") { cbench_recursive(UInt64($0)) },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let mutex = Primitives.Mutex("m", .recursive)
                        return try nanoseconds {
                            for _ in 0..<count {
                                try mutex.lock()
                                try mutex.unlock()
                            }
                        }
                    }
                },
            ])
    }

    private static var readLock: TimedCost {
        TimedCost(
            name: "lock and unlock a free read-write lock, to read", count: count,
            contenders: [
                .init(name: "pthread") { cbench_read_lock(UInt64($0)) },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let lock = ReadWriteLock("l")
                        return try nanoseconds {
                            for _ in 0..<count {
                                try lock.lockToRead()
                                try lock.unlock()
                            }
                        }
                    }
                },
            ])
    }

    private static var semaphore: TimedCost {
        TimedCost(
            name: "wait for a free semaphore, and signal it", count: count,
            contenders: [
                .init(name: "pthread") { cbench_semaphore(UInt64($0)) },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let semaphore = try Semaphore("s", value: 1)
                        return try nanoseconds {
                            for _ in 0..<count {
                                try semaphore.wait()
                                try semaphore.signal()
                            }
                        }
                    }
                },
                .init(name: "Dispatch") { count in
                    let semaphore = DispatchSemaphore(value: 1)
                    return nanoseconds {
                        for _ in 0..<count {
                            semaphore.wait()
                            semaphore.signal()
                        }
                    }
                },
            ])
    }
}

/// Atomic operations.
enum MemoryCosts {
    static var all: [TimedCost] { [add, compareExchange] }

    private static let count = 100_000

    private static var add: TimedCost {
        TimedCost(
            name: "add to an atomic number", count: count,
            contenders: [
                .init(name: "C11") { cbench_add(UInt64($0)) },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let number = Primitives.Atomic("n", 0)
                        return try nanoseconds { for _ in 0..<count { _ = try number.add(1) } }
                    }
                },
                .init(name: "Synchronization") { count in
                    let number = Synchronization.Atomic(0)
                    return nanoseconds {
                        for _ in 0..<count { _ = number.wrappingAdd(1, ordering: .sequentiallyConsistent) }
                    }
                },
            ])
    }

    private static var compareExchange: TimedCost {
        TimedCost(
            name: "compare and exchange an atomic number", count: count, guide: "about 0.05 µs",
            contenders: [
                .init(name: "C11") { cbench_compare_exchange(UInt64($0)) },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let number = Primitives.Atomic("n", 0)
                        return try nanoseconds {
                            for value in 0..<count {
                                _ = try number.compareExchange(expected: value, desired: value + 1)
                            }
                        }
                    }
                },
                .init(name: "Synchronization") { count in
                    let number = Synchronization.Atomic(0)
                    return nanoseconds {
                        for value in 0..<count {
                            _ = number.compareExchange(
                                expected: value, desired: value + 1, ordering: .sequentiallyConsistent)
                        }
                    }
                },
            ])
    }
}
