import Arbiter
import Support
import Testing

/// Time limits, and what ends for no reason: where an engine's rules, or its reductions, could take a possibility away.
@Suite struct LimitTests {
    @Test func `all engines agree with the arbiter on programs about limits`() async {
        let series = await Series.run(1..<(Extent.isWhole ? 301 : 101), threads: 2) { Trial(impatient: $0) }
        for complaint in series.report { Issue.record("\(complaint)") }
        #expect(series.refusals == [])
        #expect(series.tooLarge <= series.programs / 10)
        // Otherwise little is compared.
        #expect(series.proofs >= 3 * series.programs)
        for (sight, least) in ["completed": 40, "deadlock": 20, "livelock": 5, "assertion": 40, "race": 2] {
            #expect(series.sights[sight] ?? 0 >= least * series.programs / 300, "\(sight)")
        }
    }

    /// A sleeper moves the clock by a step: what comes after it is ordered only for who reads the clock.
    @Test func `a wait that ends by itself can end before a sleeper has slept`() async {
        let seed: UInt64 = 7_934_813_227_584_659_760
        let series = await Series.run(seed..<seed + 1, threads: 1) { Trial(impatient: $0) }
        #expect(series.report == [])
        #expect(series.proofs > 0)
    }

    @Test func `waits in loops stay right if one ends by itself, and an 'if' for a loop is judged alike by all`() async
    {
        let count = Extent.isWhole ? 80 : 32
        let tally = await LoopSeries.run(1..<UInt64(count + 1), threads: 2)
        for complaint in tally.complaints { Issue.record("\(complaint)") }
        #expect(tally.right + tally.tooLarge == count)
        #expect(tally.tooLarge <= count * 3 / 8)
        #expect(tally.caught >= tally.mutants / 2)
    }

    // MARK: - Rules that allow more never find less

    @Test func `rules that allow more find all that others find`() throws {
        var pairs = 0
        let count: UInt64 = Extent.isWhole ? 150 : 50
        for seed in 1...count {
            let inclusion = try Inclusion(seed: seed)
            for complaint in inclusion.complaints { Issue.record("\(complaint)") }
            pairs += inclusion.pairs
        }
        #expect(pairs >= 2 * count)
    }

    @Test(
        arguments: [
            // A writer stands in line before it gives up, and a reader behind it.
            """
            scenario "rwt"
            writersFirst rwlock wf
            atomic r = 0
            thread t0 { if wf.readLock(for: 500us) { wf.unlock() } else { r.store(1) } }
            thread t1 { reading wf { if wf.writeLock(for: 1ms) { wf.unlock() } } }
            """,
            // A wait with a limit ends by itself.
            """
            scenario "woken for nothing"
            mutex m
            condition arrived with m
            shared mail = 0
            thread reader {
                lock m {
                    if mail == 0 { if !arrived.wait(for: 10ms) { return } }
                    assert mail > 0
                }
            }
            thread postman { lock m { mail += 1; arrived.signal() } }
            """,
        ])
    func `what happens in time happens where limits may pass at any moment, too`(_ text: String) throws {
        var inclusion = try Inclusion(text)
        inclusion.compareAll()
        #expect(inclusion.pairs >= 6)
        #expect(inclusion.complaints == [])
    }
}
