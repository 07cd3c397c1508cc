import Exploration
import LabExecution
import Machine
import Testing

/// The partial-order search against a count by brute force: each trace is run once, and ends as all its interleavings
/// do.
@Suite struct TraceCensusTests {
    static let seeds: [ClosedRange<UInt64>] = stride(from: 1, through: 160, by: 20).map { $0...$0 + 19 }

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
        Rules(maximumSteps: 200, spuriousWakeups: 1),
        {
            var rules = Rules(maximumSteps: 200, spuriousWakeups: 1)
            rules.timeouts = .any
            return rules
        }(),
    ]

    /// Found with more seeds than a test can use: each has lost a trace, or stopped the search, or was run twice.
    static let found: [UInt64] = [604, 654, 689, 849, 891, 922, 929, 2299, 2940, 3302]

    @Test(arguments: seeds + found.map { $0...$0 }, rules)
    func `programs that end early have as many traces as there are, and each ends as it does`(
        _ seeds: ClosedRange<UInt64>, _ rules: Rules
    ) throws {
        let limit = seeds.count == 1 ? 1000 : 100
        for seed in seeds { try compare(EarlyEndProgram(seed: seed).text, rules, limit, "seed \(seed)") }
    }

    @Test(arguments: seeds, rules)
    func `programs of all features have as many traces as there are, and each ends as it does`(
        _ seeds: ClosedRange<UInt64>, _ rules: Rules
    ) throws {
        for seed in seeds { try compare(FeatureProgram(seed: seed, size: 2).text, rules, 100, "seed \(seed)") }
    }

    private func compare(_ text: String, _ rules: Rules, _ limit: Int, _ name: String) throws {
        let engine = try TestProgram(text).engine(rules)
        guard let all = TraceCensus(of: engine, limit: limit) else { return }
        let comment: Comment = "\(name), \(rules)\n\(text)"
        let search = PartialOrderSearch(rules: rules)
        let found = try #require(TraceCensus(of: engine, by: search, limit: 5000), comment)
        #expect(search.obstacle == nil, comment)
        #expect(!all.isAmbiguous, comment)
        // A choice before another thread ends the run is tried with all its values, though that changes nothing.
        if text.contains("choose(") {
            #expect(Set(found.counts.keys) == Set(all.counts.keys), comment)
            #expect(found.traces >= all.traces || text.contains("await "), comment)
        } else if text.contains("await ") {
            // An await that fails is a read of its own in an interleaving, and none in the search (`AwaitTests`).
            #expect(Set(found.counts.keys) == Set(all.counts.keys), comment)
            #expect(found.traces <= all.traces, comment)
        } else {
            #expect(found.counts == all.counts, comment)
        }
    }
}
