import CBench
import Dispatch
import Primitives

/// Blocks in threadlab's serial queues, compared with Dispatch and with a mutex.
enum QueueBenchmarks {
    static func run() throws {
        // Starts a second thread, because glibc's locks are cheaper in a process that has only one.
        let company = cbench_company_start()
        defer { cbench_company_end(company) }
        try sync()
        try async()
    }

    private static func sync() throws {
        let mutex: (Int) throws -> UInt64 = { count in
            let mutex = Mutex("m")
            var sum = 0
            return try nanoseconds { for _ in 0..<count { try mutex.withLock { sum &+= 1 } } }
        }
        let queue: (Int) throws -> UInt64 = { count in
            let queue = try WorkQueue("q")
            var sum = 0
            return try nanoseconds { for _ in 0..<count { try queue.sync { sum &+= 1 } } }
        }
        try Benchmark(
            title: "sync of a free serial queue, or a free mutex, in a process of several threads", count: 300_000,
            contenders: [
                Contender(name: "threadlab's mutex, not recorded") { count in
                    try NativeRun.unrecorded { try mutex(count) }
                },
                Contender(name: "raw pthread, in C") { cbench_lock_unlock(UInt64($0)) },
                Contender(name: "threadlab, not recorded") { count in
                    try NativeRun.unrecorded { try queue(count) }
                },
                Contender(name: "threadlab's mutex, recorded") { count in try NativeRun.recorded { try mutex(count) } },
                Contender(name: "threadlab, recorded") { count in try NativeRun.recorded { try queue(count) } },
                Contender(name: "DispatchQueue") { count in
                    let queue = DispatchQueue(label: "q")
                    var sum = 0
                    return nanoseconds { for _ in 0..<count { queue.sync { sum &+= 1 } } }
                },
            ]
        ).run()
    }

    private static func async() throws {
        let ours: (Int) throws -> UInt64 = { count in
            let queue = try WorkQueue("q")
            let sum = Sum()
            return try nanoseconds {
                for _ in 0..<count { try queue.async { sum.value &+= 1 } }
                try queue.sync {}
            }
        }
        try Benchmark(
            title: "async in a serial queue, until the block has been run", count: 100_000,
            contenders: [
                Contender(name: "DispatchQueue") { count in
                    let queue = DispatchQueue(label: "q")
                    let sum = Sum()
                    return nanoseconds {
                        for _ in 0..<count { queue.async { sum.value &+= 1 } }
                        queue.sync {}
                    }
                },
                Contender(name: "threadlab, not recorded") { count in try NativeRun.unrecorded { try ours(count) } },
                Contender(name: "threadlab, recorded") { count in try NativeRun.recorded { try ours(count) } },
            ]
        ).run()
    }

    /// Needs no lock, because only blocks of one serial queue use it.
    private final class Sum: @unchecked Sendable {
        var value = 0
    }
}
