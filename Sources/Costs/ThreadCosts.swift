import CBench
import Dispatch
import Primitives

/// What it costs to create threads, and to switch between them.
enum ThreadCosts {
    static var all: [TimedCost] { [createAndJoin, createDetached, switching, turn] }

    private static var createAndJoin: TimedCost {
        TimedCost(
            name: "create a thread and join it", count: 300, guide: "creation: about 90 µs",
            contenders: [
                .init(name: "pthread") { cbench_create_join(UInt64($0)) },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of { try nanoseconds { for _ in 0..<count { try Thread {}.join() } } }
                },
                .init(name: "Dispatch") { count in
                    nanoseconds {
                        for _ in 0..<count {
                            let done = DispatchSemaphore(value: 0)
                            DispatchQueue.global().async { done.signal() }
                            done.wait()
                        }
                    }
                },
            ])
    }

    /// Only the creation is timed, not the thread's end.
    private static var createDetached: TimedCost {
        TimedCost(
            name: "create a detached thread", count: 300, guide: "about 90 µs",
            contenders: [
                .init(name: "pthread") { cbench_create_detached(UInt64($0)) },
                .init(name: "threadlab") { count in
                    try MeasuredRun.of {
                        let ended = try Semaphore("ended", value: 0)
                        var time: UInt64 = 0
                        for _ in 0..<count {
                            time += try nanoseconds { try Thread.detach { try ended.signal() } }
                            try ended.wait()
                        }
                        return time
                    }
                },
            ])
    }

    private static var switching: TimedCost {
        TimedCost(
            name: "switch between two threads on one processor (through a pipe)", count: 5_000, operations: 2,
            contenders: [.init(name: "pthread") { cbench_switch(UInt64($0)) }])
    }

    private static var turn: TimedCost {
        TimedCost(
            name: "pass a turn to another thread by a condition", count: 3_000, operations: 2,
            contenders: [
                .init(name: "pthread") { cbench_ping_pong(UInt64($0)) },
                .init(name: "threadlab") { count in try MeasuredRun.of { try Turns(count).play() } },
            ])
    }
}

/// Two threads that pass a turn back and forth through a variable and a condition.
private final class Turns: @unchecked Sendable {
    private let mutex = Mutex("m")
    private let changed = Condition("changed")
    private let count: Int
    private var turn = 0

    init(_ count: Int) { self.count = count }

    /// Lets each thread have its turn `count` times, and returns the time in nanoseconds.
    func play() throws -> UInt64 {
        try nanoseconds {
            let other = try Thread("other") { try self.play(as: 1) }
            try play(as: 0)
            try other.join()
        }
    }

    private func play(as me: Int) throws {
        try mutex.withLock {
            for _ in 0..<count {
                while turn != me { try changed.wait(with: mutex) }
                turn = 1 - me
                try changed.signal()
            }
        }
    }
}

/// The memory of POSIX threads that only wait, in bytes for each thread. What cannot be measured here has no row.
enum ThreadMemory {
    /// The number of threads that are created to measure it.
    private static let threads: UInt32 = 200

    static var rows: [CostRow] {
        let memory = cbench_thread_memory(threads)
        func row(_ name: String, _ bytes: UInt64, guide: String) -> CostRow? {
            guard bytes > 0 else { return nil }
            return CostRow(
                name: name, unit: .bytes, figures: [CostRow.Figure(contender: "pthread", value: Double(bytes))],
                guide: guide)
        }
        return [
            row("kernel memory of a thread (its kernel stack)", memory.kernel, guide: "about 1 KB, always in memory"),
            row("address space reserved for a thread's stack", memory.reserved, guide: "512 KB; main thread: 8 MB"),
            row("memory in use by a thread that waits", memory.touched, guide: "pages are used when they are touched"),
        ].compactMap { $0 }
    }
}

/// What it costs to run blocks in queues. One operation is one block, from its queueing to its end.
enum QueueCosts {
    static var all: [TimedCost] { [sync, async] }

    private static let count = 20_000

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

    /// A sum that blocks add to. It needs no lock, because only the blocks of one serial queue use it.
    private final class Sum: @unchecked Sendable {
        var value = 0
    }
}
