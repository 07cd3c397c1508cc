import Exploration
import LabExecution
import Machine
import Testing

/// The parts into which a search is divided, against the search as a whole.
@Suite struct DivisionTests {
    static let seeds: [ClosedRange<UInt64>] = stride(from: 1, through: 60, by: 20).map { $0...$0 + 19 }

    @Test(arguments: seeds, TraceCensusTests.rules)
    func `the parts of a program have the traces of the whole, each once`(
        _ seeds: ClosedRange<UInt64>, _ rules: Rules
    ) throws {
        for seed in seeds {
            for text in Self.programs(seed) {
                try compare(text, rules, "seed \(seed)") { Division(of: $0, seed: 1).parts(atMost: 6) }
            }
        }
    }

    @Test(arguments: seeds, TraceCensusTests.rules)
    func `a part that is divided further has its traces, each once`(_ seeds: ClosedRange<UInt64>, _ rules: Rules) throws
    {
        for seed in seeds {
            for text in Self.programs(seed) {
                try compare(text, rules, "seed \(seed)") { engine in
                    let parts = Division(of: engine, seed: 1).parts(atMost: 3)
                    let further = parts.flatMap { Division($0, of: engine, seed: 2).parts(atMost: 3) }
                    #expect(PartCover.flaw(of: further) == nil)
                    return further
                }
            }
        }
    }

    /// In some executions one of the steps is taken and the other is not, or neither is.
    @Test(arguments: seeds, TraceCensusTests.rules)
    func `whatever the steps are, the halves have the traces of the whole`(
        _ seeds: ClosedRange<UInt64>, _ rules: Rules
    ) throws {
        for seed in seeds {
            for (place, text) in Self.programs(seed).enumerated() {
                let object = ObjectIdentity(maker: 0, nth: (Int(seed) + place) % 5)
                let first = OrderedStep(thread: 1, object: object, number: Int(seed) % 2)
                let second = OrderedStep(thread: 2, object: object, number: place % 2)
                try compare(text, rules, "seed \(seed)") { _ in
                    [
                        SearchPart([.init(first, before: second, needsEarlier: false)]),
                        SearchPart([.init(second, before: first, needsEarlier: true)]),
                    ]
                }
            }
        }
    }

    private static func programs(_ seed: UInt64) -> [String] {
        [
            RandomProgram(seed: seed).lab, EarlyEndProgram(seed: seed).text, FeatureProgram(seed: seed, size: 2).text,
            AwaitProgram(seed: seed).text,
        ]
    }

    private func compare(_ text: String, _ rules: Rules, _ name: String, _ divide: (Engine) -> [SearchPart]) throws {
        let engine = try TestProgram(text).engine(rules)
        let parts = divide(engine)
        for form in PartialOrderSearch.Form.allCases {
            let search = PartialOrderSearch(form, rules: rules)
            guard let whole = TraceCensus(of: engine, by: search, limit: 1000) else { return }
            var counts: [Endings.Ending: Int] = [:]
            for part in parts {
                let search = PartialOrderSearch(form, rules: rules, part: part)
                let found = try #require(TraceCensus(of: engine, by: search, limit: 5000))
                #expect(search.obstacle == nil, "\(name), \(form), \(rules), \(part)\n\(text)")
                counts.merge(found.counts) { $0 + $1 }
            }
            let comment: Comment = "\(name), \(form), \(rules), \(parts)\n\(text)"
            // If another thread ends the run, a choice before is tried with all its values, and an `await` with and without
            // steps that touch nothing.
            if text.contains("choose(") || text.contains("await ") {
                #expect(Set(counts.keys) == Set(whole.counts.keys), comment)
            } else {
                #expect(counts == whole.counts, comment)
            }
        }
    }
}
