import Arbiter
import Support
import Testing

/// Every engine against an arbiter that shares nothing with them, on small programs that were made at random: a proof must be
/// true, what is found must exist, and where nothing is found or proved, there must be a reason.
@Suite struct AgreementTests {
    @Test func `all engines agree with the arbiter on hundreds of programs`() async {
        let series = await Series.run(1..<(Extent.isWhole ? 1501 : 401), threads: 2)
        for complaint in series.report { Issue.record("\(complaint)") }
        #expect(series.refusals == [])
        #expect(series.tooLarge <= series.programs / 25)
        // Otherwise little is compared.
        #expect(series.proofs >= 4 * series.programs)
        for (sight, least) in Self.sights {
            #expect(series.sights[sight] ?? 0 >= least * series.programs / 1500, "\(sight)")
        }
    }

    /// What the programs must show, and how many of 1,500 at least.
    private static let sights = [
        "completed": 240, "deadlock": 150, "livelock": 150, "starvation": 9, "forever": 15, "assertion": 90,
        "claim": 240, "broken-claim": 15, "misuse": 15, "error": 15, "leak": 3, "race": 12, "race forever": 3,
        "time beside steps": 45,
    ]

    /// The smallest program: the position of its only thread is behind all code when it exits.
    @Test(arguments: Sighting.Engine.allCases)
    func `an engine proves that a program without threads completes`(_ engine: Sighting.Engine) throws {
        let subject = try Subject("scenario \"empty\"\n", Rulebook(seed: 1))
        let sighting = subject.search(engine, effort: (2000, 100))
        #expect(sighting.kinds.isEmpty && sighting.isProof == ![.compacted, .random].contains(engine))
    }

    @Test func `no engine proves anything of a program with infinitely many states`() throws {
        var judged = 0
        for seed in Extent.part(of: UInt64(1)...30, every: 3) {
            let tree = Generator.unbounded(seed: seed)
            let rules = Rulebook(seed: seed)
            guard Judgment.exceeds(500, tree, rules) else { continue }
            judged += 1
            let subject = try Subject(tree.text, rules)
            for engine in Sighting.Engine.allCases {
                let sighting = subject.search(engine, effort: (Extent.isWhole ? 2000 : 500, 100))
                #expect(!sighting.isProof, "seed \(seed), \(rules), \(engine)\n\(tree.text)")
                #expect(
                    sighting.reason != nil || !sighting.kinds.isEmpty, "seed \(seed), \(rules), \(engine)\n\(tree.text)"
                )
            }
        }
        #expect(judged >= (Extent.isWhole ? 25 : 8))
    }
}
