import Arbiter
import Glibc
import Support
import Testing

/// Endless programs whose loops count, against an arbiter that knows which variables are counters.
@Suite struct CountingTests {
    @Test func `the engines find how programs that count can go on forever`() async {
        let count = Extent.isWhole ? 400 : 100
        let outcomes = await CountingTrial.run(1..<UInt64(count + 1), threads: 2)
        let (livelocks, starvations, tooLarge) = report(outcomes)
        // Otherwise little is compared.
        #expect(
            livelocks >= count / 4 && starvations >= count / 40 && tooLarge <= count / 4,
            "\(livelocks), \(starvations), \(tooLarge)")
    }
}

/// As many as `THREADLAB_FUZZ_PROGRAMS` says, with seeds that nobody has tried; or the program of one seed.
@Suite struct CountingFuzzTests {
    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
    private static let programs = number("THREADLAB_FUZZ_PROGRAMS")
    private static let seed = number("THREADLAB_FUZZ_SEED")

    @Test(.enabled(if: programs != nil || seed != nil)) func `the same of new programs`() async {
        let first = Self.seed ?? .random(in: 1 << 32...UInt64.max >> 1)
        _ = report(await CountingTrial.run(first..<first + (Self.programs ?? 1), threads: 2))
    }
}

private func report(_ outcomes: [CountingTrial.Outcome]) -> (livelocks: Int, starvations: Int, tooLarge: Int) {
    var (livelocks, starvations, tooLarge) = (0, 0, 0)
    for outcome in outcomes {
        switch outcome {
        case .agreement(let kinds):
            if kinds.contains(.livelock) { livelocks += 1 }
            if kinds.contains(.starvation) { starvations += 1 }
        case .disagreement(let complaint): Issue.record("\(complaint)")
        case .refused(let reason): Issue.record("\(reason)")
        case .tooLarge: tooLarge += 1
        }
    }
    return (livelocks, starvations, tooLarge)
}
