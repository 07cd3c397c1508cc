import Glibc
import Testing

@testable import DebugInformation

/// Files of compilers that were damaged: whatever is asked of them has an answer, or none, in little time.
///
/// As many more as `THREADLAB_FUZZ_PROGRAMS` says are tried, with seeds that nobody has tried, or with those from `THREADLAB_FUZZ_SEED` on.
@Suite struct DamagedFileFuzzTests {
    private static let programs = number("THREADLAB_FUZZ_PROGRAMS")
    private static let seed = number("THREADLAB_FUZZ_SEED")

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    private static let usual: UInt64 = 200

    @Test(arguments: Specimen.allCases) func `a whole file has all names, lines and parts`(specimen: Specimen) throws {
        try #require(!specimen.bytes.isEmpty, "'\(specimen.rawValue)' made no library")
        let answers = Questions(about: specimen.bytes).answers(of: specimen.bytes)
        #expect(answers.symbols == ["pay", "reward"])
        #expect(answers.lines.isSuperset(of: [11, 16, 24, 25]))
        #expect(answers.frames.isSuperset(of: ["pay", "reward"]) && answers.frames.count == 3)
        #expect(answers.locals.contains("bonus[1]") && answers.locals.contains { $0.hasPrefix("own.days[0]") })
        #expect(
            answers.globals.isSuperset(of: [
                "accounts", "accounts[0].days[0][2]", "accounts[1].value.whole", "accounts[2].flags.a/b",
                "accounts[3].next", "total",
            ]))
    }

    @Test(arguments: Specimen.allCases) func `a file that is damaged in any way is read to an end`(specimen: Specimen)
        throws
    {
        let (damage, questions) = (Damage(specimen.bytes), Questions(about: specimen.bytes))
        let first = Self.seed ?? .random(in: 1 << 20...1 << 40)
        let seeds = Array(1...Self.usual) + (0..<(Self.programs ?? 0)).map { first + $0 }
        for (number, seed) in seeds.enumerated() {
            announce(number, "\(specimen), THREADLAB_FUZZ_SEED=\(seed)")
            let file = damage.file(seed: seed)
            ProcessorTime.isBounded { _ = questions.answers(of: file) }
        }
    }

    /// In each place one of them, and more if more is asked for, so that `make fuzz` tries most numbers in most places.
    @Test(arguments: Specimen.allCases) func `a file with an extreme number in any place is read to an end`(
        specimen: Specimen
    ) throws {
        let (damage, questions) = (Damage(specimen.bytes), Questions(about: specimen.bytes))
        let all = damage.placeCount * ExtremeBytes.all.count
        let count = min(all, Int(Self.usual + 10 * (Self.programs ?? 0)))
        let seed = Self.programs == nil ? 1 : Self.seed ?? .random(in: 1 << 20...1 << 40)
        var random = Numbers(seed)
        for number in 0..<count {
            // As far from each other as there is room; others each time.
            let place = number * all / count + random.next(below: max(1, all / count))
            let (extreme, byte) = (place % ExtremeBytes.all.count, place / ExtremeBytes.all.count)
            announce(number, "\(specimen), the number \(extreme) at \(byte), THREADLAB_FUZZ_SEED=\(seed)")
            let file = damage.file(withExtreme: extreme, at: byte)
            ProcessorTime.isBounded { _ = questions.answers(of: file) }
        }
    }

    /// If a file crashes the tests, this shows which: one of the next thousand.
    private func announce(_ number: Int, _ text: @autoclosure () -> String) {
        guard Self.programs != nil, number % 1000 == 0 else { return }
        print("fuzz \(text())")
        fflush(nil)
    }
}
