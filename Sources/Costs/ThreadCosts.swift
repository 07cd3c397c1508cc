import CBench
import Dispatch
import Primitives

/// Making threads, and passing from one to another.
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

/// Two threads that pass a turn back and forth.
private final class Turns: @unchecked Sendable {
    private let mutex = Mutex("m")
    private let changed = Condition("changed")
    private let count: Int
    private var turn = 0

    init(_ count: Int) { self.count = count }

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
