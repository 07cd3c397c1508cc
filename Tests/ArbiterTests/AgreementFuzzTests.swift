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

    @Test(.enabled(if: programs != nil)) func `all engines agree with the arbiter on new programs about limits`() async
    {
        let (first, count) = (Self.seed ?? .random(in: 1 << 32...UInt64.max >> 1), Self.programs ?? 0)
        for part in stride(from: first, to: first + count, by: Self.size) {
            print("limits: from seed \(part) on")
            fflush(nil)
            let series = await Series.run(part..<min(first + count, part + UInt64(Self.size)), threads: 2) {
                Trial(impatient: $0)
            }
            for complaint in series.report { Issue.record("\(complaint)") }
            #expect(series.refusals == [])
        }
    }

    @Test(.enabled(if: programs != nil)) func `new programs with waits in loops stay right`() async {
        let (first, count) = (Self.seed ?? .random(in: 1 << 32...UInt64.max >> 1), Self.programs ?? 0)
        for part in stride(from: first, to: first + count, by: Self.size) {
            print("loops: from seed \(part) on")
            fflush(nil)
            let series = await LoopSeries.run(part..<min(first + count, part + UInt64(Self.size)), threads: 2)
            for complaint in series.complaints { Issue.record("\(complaint)") }
        }
    }

    @Test(.enabled(if: programs != nil)) func `rules that allow more find all that others find in new programs`() throws
    {
        let (first, count) = (Self.seed ?? .random(in: 1 << 32...UInt64.max >> 1), Self.programs ?? 0)
        print("inclusion: from seed \(first) on")
        fflush(nil)
        for seed in first..<first + count {
            for complaint in try Inclusion(seed: seed).complaints { Issue.record("\(complaint)") }
        }
    }

    private static let size = 250
}
