import CBench
import Dispatch
import Foundation
import Primitives
import Synchronization

/// threadlab's primitives on real threads, compared with raw POSIX in C and other Swift APIs on Linux.
enum NativeBenchmarks {
    static func run() throws {
        try lock("in a process of one thread")
        // Starts a second thread, because glibc's locks are cheaper in a process that has only one.
        let company = cbench_company_start()
        defer { cbench_company_end(company) }
        try lock("in a process of several threads")
        try tryLock()
        try semaphore()
        try pingPong()
        try createAndJoin()
    }

    private static func lock(_ place: String) throws {
        let ours: (Int) throws -> UInt64 = { count in
            let mutex = Primitives.Mutex("m")
            return try nanoseconds {
                for _ in 0..<count {
                    try mutex.lock()
                    try mutex.unlock()
                }
            }
        }
        try Benchmark(
            title: "lock and unlock, uncontended, \(place)", count: 300_000,
            contenders: [
                Contender(name: "raw pthread, in C") { cbench_lock_unlock(UInt64($0)) },
                Contender(name: "threadlab") { count in try NativeRun.recorded { try ours(count) } },
                Contender(name: "threadlab, not recorded") { count in try NativeRun.unrecorded { try ours(count) } },
                Contender(name: "Foundation.NSLock") { count in
                    let lock = NSLock()
                    return nanoseconds {
                        for _ in 0..<count {
                            lock.lock()
                            lock.unlock()
                        }
                    }
                },
                Contender(name: "Synchronization.Mutex") { count in
                    let mutex = Synchronization.Mutex(0)
                    return nanoseconds { for _ in 0..<count { mutex.withLock { $0 &+= 1 } } }
                },
                Contender(name: "DispatchQueue.sync") { count in
                    let queue = DispatchQueue(label: "q")
                    var sum = 0
                    return nanoseconds { for _ in 0..<count { queue.sync { sum &+= 1 } } }
                },
            ]
        ).run()
    }

    private static func tryLock() throws {
        try Benchmark(
            title: "try-lock and unlock", count: 300_000,
            contenders: [
                Contender(name: "raw pthread, in C") { cbench_try_lock(UInt64($0)) },
                Contender(name: "threadlab") { count in
                    try NativeRun.recorded {
                        let mutex = Primitives.Mutex("m")
                        return try nanoseconds {
                            for _ in 0..<count where try mutex.tryLock() { try mutex.unlock() }
                        }
                    }
                },
                Contender(name: "Foundation.NSLock") { count in
                    let lock = NSLock()
                    return nanoseconds { for _ in 0..<count where lock.try() { lock.unlock() } }
                },
            ]
        ).run()
    }

    private static func semaphore() throws {
        try Benchmark(
            title: "semaphore, wait and signal, without waiting", count: 300_000,
            contenders: [
                Contender(name: "raw sem_t, in C") { cbench_semaphore(UInt64($0)) },
                Contender(name: "threadlab") { count in
                    try NativeRun.recorded {
                        let semaphore = try Semaphore("s", value: 1)
                        return try nanoseconds {
                            for _ in 0..<count {
                                try semaphore.wait()
                                try semaphore.signal()
                            }
                        }
                    }
                },
                Contender(name: "DispatchSemaphore") { count in
                    let semaphore = DispatchSemaphore(value: 1)
                    return nanoseconds {
                        for _ in 0..<count {
                            semaphore.wait()
                            semaphore.signal()
                        }
                    }
                },
            ]
        ).run()
    }

    private static func pingPong() throws {
        try Benchmark(
            title: "condition, a turn passed back and forth between two threads", count: 5_000,
            contenders: [
                Contender(name: "raw pthread, in C") { cbench_ping_pong(UInt64($0)) },
                Contender(name: "threadlab") { count in try NativeRun.recorded { try PingPong(count).play() } },
                Contender(name: "Foundation.NSCondition") { count in FoundationPingPong(count).play() },
            ]
        ).run()
    }

    private static func createAndJoin() throws {
        try Benchmark(
            title: "thread, create and join", count: 500,
            contenders: [
                Contender(name: "raw pthread, in C") { cbench_create_join(UInt64($0)) },
                Contender(name: "threadlab") { count in
                    try NativeRun.recorded {
                        try nanoseconds { for _ in 0..<count { try Primitives.Thread("t") {}.join() } }
                    }
                },
                Contender(name: "Foundation.Thread and NSCondition") { count in
                    nanoseconds { for _ in 0..<count { FoundationPingPong.startAndWait() } }
                },
                Contender(name: "DispatchQueue.global().async, wait") { count in
                    nanoseconds {
                        for _ in 0..<count {
                            let done = DispatchSemaphore(value: 0)
                            DispatchQueue.global().async { done.signal() }
                            done.wait()
                        }
                    }
                },
            ]
        ).run()
    }
}
