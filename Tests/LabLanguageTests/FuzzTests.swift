import Glibc
import Testing

/// `THREADLAB_FUZZ_SECONDS` is the total time of all fuzzers; without it each tries a fixed number of texts, the same
/// every time. `THREADLAB_FUZZ_SEED` is the first seed; without a time it is the only one.
@Suite(.serialized) struct FuzzTests {
    @Test(arguments: Fuzzer.allCases) func `absurd texts do no harm`(fuzzer: Fuzzer) throws {
        let seconds = Self.number("THREADLAB_FUZZ_SECONDS").map { Double($0) / Double(Fuzzer.allCases.count) }
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        let given = Self.number("THREADLAB_FUZZ_SEED")
        let first = given ?? (end == nil ? 1 : .random(in: 1 << 32...UInt64.max >> 1))
        let rounds = given == nil ? fuzzer.rounds : 1
        print("fuzz \(fuzzer): from seed \(first) on")
        // If a text crashes the tests, this shows where to start again.
        fflush(nil)
        var seed = first
        while end.map({ ContinuousClock.now < $0 }) ?? (seed - first < rounds) {
            if let complaint = try fuzzer.complaint(seed: seed) { Issue.record("\(complaint)") }
            seed += 1
        }
        print("fuzz \(fuzzer): \(seed - first) texts, to seed \(seed - 1)")
    }

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}
