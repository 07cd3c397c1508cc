import CBench
import Primitives
import Synchronization

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
