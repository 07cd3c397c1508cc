import Exploration
import LabLanguage
import Machine
import Support
import Testing

/// The search by partial orders against all interleavings, where no independent counter knows the language.
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
            for form in PartialOrderSearch.Form.allCases {
                let search = PartialOrderSearch(form, rules: rules)
                let found = try #require(Endings(engine, search, limit: 20_000))
                let comment: Comment = "seed \(seed), \(form), \(rules)\n\(program.text)"
                #expect(search.obstacle == nil, comment)
                #expect(found == expected, comment)
                #expect(search.completeCount <= expected.executions, comment)
            }
        }
    }
}

/// The ways in which a program's executions end.
private struct Endings: Equatable {
    var states: Set<TerminalState> = []
    var failures: Set<Int> = []
    var executions = 0

    static func == (one: Endings, other: Endings) -> Bool {
        one.states == other.states && one.failures == other.failures
    }

    /// Nil: there are more executions than the limit.
    init?(_ engine: Engine, _ strategy: any Strategy, limit: Int) {
        while strategy.prepare(executions) {
            let verdict = strategy.execute(engine)
            executions += 1
            if executions > limit { return nil }
            switch verdict {
            case .stopped: break
            case .assertion, .misuse: failures.insert(engine.place)
            default: states.insert(Self.state(of: engine.machine, verdict))
            }
        }
    }

    private static func state(of machine: MachineState, _ verdict: Verdict) -> TerminalState {
        TerminalState(
            outcome: "\(verdict)", blocked: (1..<machine.threadCount).filter { !machine.hasEnded($0) },
            memory: (1...3).map { machine.object($0).value })
    }
}
