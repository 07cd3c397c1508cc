/// Counts the different traces among those noted, in bounded memory: exactly while they are few, then with a sample
/// that is halved each time it is full (adaptive sampling: Flajolet, Computing 43, 1990).
package struct DistinctTraces {
    /// The number of executions noted.
    package private(set) var executions = 0

    /// Open addressing, 0 for an empty place. The lowest bit is set if the trace occurred again.
    private var table = [UInt64](repeating: 0, count: 1024)
    private let maximum: Int
    private var used = 0
    private var usedOnce = 0
    /// Only numbers that begin with this many zero bits are kept.
    private var halvings = 0

    /// - Parameter maximum: the maximum number of traces kept.
    package init(keeping maximum: Int = 1 << 20) { self.maximum = max(2, maximum) }

    /// The number of different traces.
    package var count: Int { used << halvings }

    /// Whether the counts are exact, and not estimates.
    package var isExact: Bool { halvings == 0 }

    /// The probability that one more execution shows a new trace, estimated from the share of traces seen only once
    /// (Good: The population frequencies of species, Biometrika 40, 1953). For executions that are drawn independently.
    package var chanceOfNew: Double {
        executions == 0 ? 1 : min(1, Double(usedOnce << halvings) / Double(executions))
    }

    /// Notes the trace of an execution.
    package mutating func add(_ trace: UInt64) {
        executions += 1
        // The upper bits choose the sample, so other bits choose the place.
        guard trace.leadingZeroBitCount >= halvings else { return }
        let key = max(trace, 2) | 1
        let place = place(of: key, in: table)
        if table[place] == 0 {
            table[place] = key & ~1
            used += 1
            usedOnce += 1
            if used > maximum { thinOut() }
            if used * 2 > table.count { resize() }
        } else if table[place] & 1 == 0 {
            table[place] |= 1
            usedOnce -= 1
        }
    }

    private func place(of key: UInt64, in table: [UInt64]) -> Int {
        let mask = table.count - 1
        var place = Int(truncatingIfNeeded: key >> 1) & mask
        while table[place] != 0 && table[place] | 1 != key { place = (place + 1) & mask }
        return place
    }

    private mutating func resize() { rebuild(table.filter { $0 != 0 }, count: table.count * 2) }

    private mutating func thinOut() {
        halvings += 1
        let kept = table.filter { $0 != 0 && $0.leadingZeroBitCount >= halvings }
        rebuild(kept, count: table.count)
        used = kept.count
        usedOnce = kept.reduce(0) { $0 + ($1 & 1 == 0 ? 1 : 0) }
    }

    private mutating func rebuild(_ words: [UInt64], count: Int) {
        table = [UInt64](repeating: 0, count: count)
        for word in words { table[place(of: word | 1, in: table)] = word }
    }
}
