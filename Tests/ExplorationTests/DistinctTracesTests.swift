import Exploration
import Support
import Testing
import Trace

@Suite struct DistinctTracesTests {
    @Test func `it counts exactly while there is room`() {
        var generator = SplitMix64(seed: 1)
        var seen = DistinctTraces()
        var reference: [UInt64: Int] = [:]
        for _ in 0..<20_000 {
            // Few enough to repeat, some of them awkward.
            let trace = generator.next() % 9000 &* 0x1234_5678_9ABC_DEF0
            seen.add(trace)
            reference[max(trace, 2) | 1, default: 0] += 1
        }
        #expect(seen.isExact)
        #expect(seen.count == reference.count)
        let once = reference.values.filter { $0 == 1 }.count
        #expect(seen.chanceOfNew == Double(once) / 20_000)
    }

    @Test func `it estimates when there is no room left`() {
        var generator = SplitMix64(seed: 2)
        var seen = DistinctTraces(keeping: 1000)
        for _ in 0..<100_000 { seen.add(generator.next()) }
        #expect(!seen.isExact)
        #expect(abs(Double(seen.count) / 100_000 - 1) < 0.1)
        #expect(seen.chanceOfNew > 0.9)
    }

    @Test func `the chance of a new trace is about the share of what was not seen`() {
        var generator = SplitMix64(seed: 3)
        var seen = DistinctTraces()
        var known: Set<UInt64> = []
        // Trace k occurs with 2⁻ᵏ times the probability of the first.
        for _ in 0..<2000 {
            let trace = SplitMix64.mixed(UInt64(generator.next().leadingZeroBitCount + 1) << 32 | generator.next() % 64)
            seen.add(trace)
            known.insert(trace)
        }
        var fresh = 0
        for _ in 0..<20_000 {
            let trace = SplitMix64.mixed(UInt64(generator.next().leadingZeroBitCount + 1) << 32 | generator.next() % 64)
            if !known.contains(trace) { fresh += 1 }
        }
        #expect(abs(seen.chanceOfNew - Double(fresh) / 20_000) < 0.02)
    }
}
