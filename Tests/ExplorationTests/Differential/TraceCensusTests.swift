import Exploration
import Foundation
import LabExecution
import Machine
import Testing

/// The search by partial orders against a count by brute force: each trace is run once, and ends as its interleavings do.
@Suite struct TraceCensusTests {
    static let rules: [Rules] = [
        Rules(maximumSteps: 200),
        {
            var rules = Rules(maximumSteps: 200)
            rules.timeouts = .any
            return rules
        }(),
        {
            var rules = Rules(maximumSteps: 200)
            rules.endsAtCycles = false
            return rules
        }(),
    ]

    static let first = UInt64(ProcessInfo.processInfo.environment["FIRST"] ?? "1")!
    static let count = UInt64(ProcessInfo.processInfo.environment["COUNT"] ?? "100")!

    @Test(arguments: ["early", "feature"], rules)
    func scan(_ kind: String, _ rules: Rules) throws {
        var skipped = 0
        var bad = 0
        var states = 0, redundant = 0, total = 0, missing = 0, ambiguous = 0
        for seed in Self.first..<Self.first + Self.count {
            let text = kind == "early" ? EarlyEndProgram(seed: seed).text : FeatureProgram(seed: seed).text
            let engine = try TestProgram(text).engine(rules)
            guard let all = TraceCensus(of: engine, limit: 2000) else {
                skipped += 1
                continue
            }
            total += 1
            let search = PartialOrderSearch(.optimal, rules: rules)
            let found = TraceCensus(of: engine, by: search, limit: all.traces * 3 + 1000)
            let same = found?.counts == all.counts
            if all.isAmbiguous { ambiguous += 1; print("AMBIGUOUS \(kind) \(seed) \(rules)\n\(text)") }
            if search.obstacle != nil { print("OBSTACLE \(search.obstacle!) \(kind) \(seed) \(rules)\n\(text)") }
            let lost = found.map { Set(all.counts.keys).subtracting($0.counts.keys).count } ?? 99
            if lost > 0 { missing += 1 }
            if search.redundantCount > 0 { redundant += 1 }
            if !same {
                bad += 1
                states += all.counts.count
                if bad <= 12 || lost > 0 {
                    print("DIFF \(kind) \(seed) lines \(text.count) lost \(lost) traces \(all.traces) found \(found?.traces ?? -1) redundant \(search.redundantCount) t=\(rules.timeouts) c=\(rules.endsAtCycles)\n\(text)")
                }
            }
        }
        print("SUMMARY \(kind) t=\(rules.timeouts) c=\(rules.endsAtCycles) total \(total) skipped \(skipped) bad \(bad) missing \(missing) ambiguous \(ambiguous) redundant \(redundant)")
    }
}
