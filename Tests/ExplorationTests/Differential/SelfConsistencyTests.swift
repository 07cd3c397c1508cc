import Exploration
import LabExecution
import Machine
import Support
import Testing

/// The partial-order search against all interleavings, where no independent counter supports the language.
@Suite struct SelfConsistencyTests {
    static let seeds: [ClosedRange<UInt64>] = stride(from: 501, through: 800, by: 50).map { $0...$0 + 49 }

    static let rules: [Rules] = [
        Rules(maximumSteps: 200),
        {
            var rules = Rules(maximumSteps: 200, spuriousWakeups: 1)
            rules.timeouts = .any
            return rules
        }(),
    ]

    @Test(arguments: seeds, rules)
    func `what all interleavings end in, one of each kind ends in`(_ seeds: ClosedRange<UInt64>, _ rules: Rules) throws
    {
        for seed in seeds {
            let program = FeatureProgram(seed: seed)
            let engine = try TestProgram(program.text).engine(rules)
            let all = BoundedSearch(.none)
            guard let expected = Endings(engine, all, limit: 1000) else { continue }
            let search = PartialOrderSearch(rules: rules)
            let found = try #require(Endings(engine, search, limit: 20_000))
            let comment: Comment = "seed \(seed), \(rules)\n\(program.text)"
            #expect(search.obstacle == nil, comment)
            #expect(found == expected, comment)
            #expect(search.completeCount <= expected.executions, comment)
        }
    }
}
