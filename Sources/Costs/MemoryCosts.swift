import CBench
import Primitives
import Synchronization

/// What atomic operations cost: an addition, alone and while another thread makes one too, and a compare-exchange that
/// succeeds.
enum MemoryCosts {
    static var all: [TimedCost] { [add, addContended, compareExchange] }

    private static let count = 20_000

    /// Adds to threadlab's atomic.
    private static let addToNumber: @Sendable () -> LabOperation = {
        let number = Primitives.Atomic("n", 0)
        return { _ = try number.add(1) }
    }

    private static var add: TimedCost {
        TimedCost(
            name: "add to an atomic number", count: count,
            contenders: [
                .init(name: "C11") { cbench_add(UInt64($0)) }, lab(addToNumber),
                .init(name: "Synchronization") { count in
                    let number = Synchronization.Atomic(0)
                    return nanoseconds {
                        for _ in 0..<count { _ = number.wrappingAdd(1, ordering: .sequentiallyConsistent) }
                    }
                },
            ])
    }

    /// Contended additions take longer, so fewer of them are timed.
    private static var addContended: TimedCost {
        TimedCost(
            name: "the same, while another thread does it too", count: count / 4, operations: 2,
            contenders: [
                .init(name: "C11") { cbench_contended_add(UInt64($0)) }, contendedLab(addToNumber),
                .init(name: "Synchronization") { count in
                    let number = SharedNumber()
                    return inBothThreads {
                        for _ in 0..<count { _ = number.value.wrappingAdd(1, ordering: .sequentiallyConsistent) }
                    }
                },
            ])
    }

    /// Puts the atomic, which cannot be copied, into an object that closures of two threads can share.
    private final class SharedNumber: Sendable {
        let value = Synchronization.Atomic(0)
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
