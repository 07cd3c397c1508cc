import Exploration
import Machine

/// How often results occurred among executions.
struct Tally<Key: Hashable> {
    var counts: [Key: Int] = [:]
    var total = 0

    /// Runs this number of executions, and counts what the closure makes of each.
    init(_ strategy: any Strategy, _ subject: any Subject, executions: Int, _ key: (Verdict) -> Key) {
        for number in 0..<executions {
            guard strategy.prepare(number) else { break }
            counts[key(strategy.execute(subject)), default: 0] += 1
            total += 1
        }
    }

    func share(_ key: Key) -> Double { Double(counts[key] ?? 0) / Double(total) }

    /// How far the counts are from all of this number of keys being equally frequent: χ², whose mean is the number of
    /// keys minus one.
    func unevenness(among keys: Int) -> Double {
        let even = Double(total) / Double(keys)
        let found = counts.values.reduce(0) { $0 + (Double($1) - even) * (Double($1) - even) / even }
        return found + even * Double(keys - counts.count)
    }
}
