import Arbiter
import Glibc
import Testing

/// As many programs as `THREADLAB_FUZZ_PROGRAMS` says, with seeds that nobody has tried. `THREADLAB_FUZZ_SEED` is the first one; without
/// a number of programs it is the only one.
@Suite struct AgreementFuzzTests {
    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
    private static let programs = number("THREADLAB_FUZZ_PROGRAMS")
    private static let seed = number("THREADLAB_FUZZ_SEED")

    @Test(.enabled(if: programs != nil || seed != nil)) func `all engines agree with the arbiter on new programs`()
        async
    {
        let first = Self.seed ?? .random(in: 1 << 32...UInt64.max >> 1)
        let end = first + (Self.programs ?? 1)
        var tooLarge = 0
        for part in stride(from: first, to: end, by: Self.size) {
            // If a program crashes the tests, this shows where to look.
            print("agreement: from seed \(part) on")
            if end - first == 1 { print(Rulebook(seed: part), Generator.program(seed: part).text) }
            fflush(nil)
            let series = await Series.run(part..<min(end, part + UInt64(Self.size)), threads: 2)
            for complaint in series.report { Issue.record("\(complaint)") }
            #expect(series.refusals == [])
            tooLarge += series.tooLarge
        }
        print("agreement: \(end - first) programs, \(tooLarge) of them too large")
        #expect(tooLarge <= Int(end - first) / 25 + 1)
    }

    private static let size = 250
}
