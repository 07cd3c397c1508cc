import Dispatch
import Primitives

/// Blocks in queues. One operation is one block, from its queueing to its end.
enum QueueCosts {
    static var all: [TimedCost] { [sync, async] }

    private static let count = 100_000

    private static var sync: TimedCost {
        TimedCost(
            name: "run a block in a free serial queue (sync), or with a free mutex", count: count,
            contenders: [
                .init(name: "Dispatch") { count in
                    let queue = DispatchQueue(label: "costs")
                    var sum = 0
                    return nanoseconds { for _ in 0..<count { queue.sync { sum &+= 1 } } }
                },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let queue = try WorkQueue("q")
                        var sum = 0
                        return try nanoseconds { for _ in 0..<count { try queue.sync { sum &+= 1 } } }
                    }
                },
                .init(name: "threadlab (mutex)") { count in
                    try MeasuredRun.of {
                        let mutex = Mutex("m")
                        var sum = 0
                        return try nanoseconds { for _ in 0..<count { try mutex.withLock { sum &+= 1 } } }
                    }
                },
            ])
    }

    private static var async: TimedCost {
        TimedCost(
            name: "queue a block in a serial queue (async), until it has been run", count: count,
            contenders: [
                .init(name: "Dispatch") { count in
                    let queue = DispatchQueue(label: "costs")
                    let sum = Sum()
                    return nanoseconds {
                        for _ in 0..<count { queue.async { sum.value &+= 1 } }
                        queue.sync {}
                    }
                },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let queue = try WorkQueue("q")
                        let sum = Sum()
                        return try nanoseconds {
                            for _ in 0..<count { try queue.async { sum.value &+= 1 } }
                            try queue.sync {}
                        }
                    }
                },
            ])
    }

    /// Only blocks of one serial queue use it.
    private final class Sum: @unchecked Sendable {
        var value = 0
    }
}
