import Histories

/// A combination of calls: what each thread calls, one call after another. Calls are numbers in the list of operations.
struct OperationScenario: Equatable {
    let threads: [[Int]]

    static func name(ofThread number: Int) -> String { "thread \(number + 1)" }

    /// For example `push(1), pop() | pop()`.
    func text(_ calls: [String]) -> String {
        threads.map { $0.map { calls[$0] }.joined(separator: ", ") }.joined(separator: " | ")
    }
}

/// All scenarios up to a size, the smallest first. Scenarios that differ only in the order of threads count as one,
/// because all threads run the same code.
struct OperationScenarios {
    /// The number of different calls.
    let calls: Int
    /// The maximum number of threads.
    let threads: Int
    /// The maximum number of calls of one thread. A thread's calls, in their order, are its *plan*.
    let each: Int

    /// The maximum number of calls in a scenario, of all threads together.
    static var mostCalls: Int { History<Int, OperationAnswer>.mostCalls }
    /// The number of plans beyond which scenarios are not counted.
    private static let mostPlans = 1 << 30

    /// The number of scenarios. Nil: it is too large to count.
    var count: Int? {
        var plans = 0
        var ofLength = 1
        for _ in 0...each {
            (plans, ofLength) = (plans + ofLength, ofLength &* calls)
            if plans < 0 || plans > Self.mostPlans { return nil }
        }
        // The number of multisets of plans, without the one in which no thread makes a call.
        var count = 1
        for thread in 0..<threads {
            let (product, overflow) = count.multipliedReportingOverflow(by: plans + thread)
            if overflow { return nil }
            count = product / (thread + 1)
        }
        return count - 1
    }

    /// Visits the scenarios by the number of their calls, until the body returns false.
    func visit(_ body: (OperationScenario) throws -> Bool) rethrows {
        for total in stride(from: 1, through: threads * each, by: 1) {
            if try !visit(total, [], body) { return }
        }
    }

    /// Visits the scenarios that complete these plans.
    ///
    /// - Parameters:
    ///   - left: the number of calls for the remaining threads.
    ///   - chosen: the plans of the first threads, in the order of `isOrdered`.
    /// - Returns: false if the body has returned false.
    private func visit(
        _ left: Int, _ chosen: [[Int]], _ body: (OperationScenario) throws -> Bool
    ) rethrows -> Bool {
        let rest = threads - chosen.count
        if rest == 0 { return left > 0 ? true : try body(OperationScenario(threads: chosen.filter { !$0.isEmpty })) }
        // In the order of `isOrdered`, no thread makes more calls than the one before it.
        let most = min(left, chosen.last?.count ?? each)
        // If this thread made fewer calls than an equal share, the others could not make the rest.
        for length in stride(from: most, through: (left + rest - 1) / rest, by: -1) {
            var plan = [Int](repeating: 0, count: length)
            repeat {
                if chosen.last.map({ Self.isOrdered($0, plan) }) ?? true,
                    try !visit(left - length, chosen + [plan], body)
                {
                    return false
                }
            } while advance(&plan)
        }
        return true
    }

    /// Whether the first plan may precede the second one: it is longer, or as long and not greater.
    private static func isOrdered(_ a: [Int], _ b: [Int]) -> Bool {
        a.count != b.count ? a.count > b.count : !b.lexicographicallyPrecedes(a)
    }

    /// Advances to the next plan of the same length. Returns false if there is none.
    private func advance(_ plan: inout [Int]) -> Bool {
        for place in plan.indices.reversed() {
            if plan[place] + 1 < calls {
                plan[place] += 1
                return true
            }
            plan[place] = 0
        }
        return false
    }
}
