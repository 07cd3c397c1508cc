import Glibc
import Machine
import Support
import Testing

@testable import LabLanguage

/// Reads, formats and runs texts that nobody would write. `THREADLAB_FUZZ_SECONDS` is how long all fuzzers together take;
/// without it each tries a fixed number of texts. A text that fails is reported with its seed, which `THREADLAB_FUZZ_SEED`
/// repeats.
@Suite(.serialized) struct FuzzTests {
    enum Fuzzer: String, CaseIterable {
        case bytes, words, grammar, runs

        /// How many texts are tried where nothing else is asked for.
        var rounds: UInt64 {
            switch self {
            case .bytes: 400
            case .words: 1500
            case .grammar: 60
            case .runs: 60
            }
        }

        func text(_ generator: inout SeededGenerator) -> [UInt8] {
            switch self {
            case .bytes: return ByteFuzzer.text(&generator)
            case .words: return WordFuzzer.text(&generator)
            case .grammar, .runs:
                var fuzzer = GrammarFuzzer(generator)
                return Array(fuzzer.program().utf8)
            }
        }

        /// What does not hold for the text that must.
        func complaint(_ source: SourceText, seed: UInt64) throws -> String? {
            switch self {
            case .bytes, .words: return FuzzTests.complaint(source)
            case .grammar:
                let error = source.parsed().parser.diagnostics.errors.first
                return error?.message ?? FuzzTests.complaint(source)
            case .runs: return try FuzzTests.disagreement(source, seed: seed)
            }
        }
    }

    /// Any bytes and any words are read, and refused with messages that are safe to show. Programs of the grammar are read
    /// without a mistake of syntax, and keep their meaning when they are formatted. Those that have no mistake at all run.
    @Test(arguments: Fuzzer.allCases) func `texts that nobody would write do no harm`(fuzzer: Fuzzer) throws {
        if let seed = Self.number("THREADLAB_FUZZ_SEED") { return try check(seed, fuzzer) }
        let share = Self.number("THREADLAB_FUZZ_SECONDS").map { Double($0) / Double(Fuzzer.allCases.count) }
        let end = share.map { ContinuousClock.now + .seconds($0) }
        let first: UInt64 = end == nil ? 1 : UInt64.random(in: 1 << 32...UInt64.max >> 1)
        var seed = first
        while end.map({ ContinuousClock.now < $0 }) ?? (seed < first + fuzzer.rounds) {
            try check(seed, fuzzer)
            seed += 1
        }
        print("fuzz \(fuzzer): \(seed - first) texts, seeds \(first) to \(seed - 1)")
    }

    private func check(_ seed: UInt64, _ fuzzer: Fuzzer) throws {
        var generator = SeededGenerator(seed: seed)
        let source = SourceText(name: "fuzz.lab", fuzzer.text(&generator))
        if let complaint = try fuzzer.complaint(source, seed: seed) {
            Issue.record(
                "\(fuzzer), THREADLAB_FUZZ_SEED=\(seed): \(complaint)\n\(String(decoding: source.bytes, as: UTF8.self))"
            )
        }
    }

    /// What comes of running a program, if that is not the same each time.
    private static func disagreement(_ source: SourceText, seed: UInt64) throws -> String? {
        guard let program = source.read().program else { return nil }
        let runner = LabRunner(try program.compiled())
        var generator = SeededGenerator(seed: seed)
        var rules = Rules(maximumSteps: 1000, spuriousWakeups: .random(in: 0...2, using: &generator))
        rules.waiters = Rules.Waiters.allCases.randomElement(using: &generator)!
        rules.timeouts = Rules.Timeouts.allCases.randomElement(using: &generator)!
        rules.endsAtCycles = Bool.random(using: &generator)
        return runner.disagreement(seed: seed, rules: rules) ?? runner.snapshotDisagreement(seed: seed, rules: rules)
    }

    /// What must hold for every text.
    private static func complaint(_ source: SourceText) -> String? {
        let reading = source.read()
        if reading.hasErrors == (reading.program != nil) { return "a program with errors, or none without" }
        if reading.diagnostics.count > Limits.errors + 1 { return "too many messages" }
        for diagnostic in reading.diagnostics {
            let shown = diagnostic.text(in: source)
            if shown.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\n" || $0.value == 0x7F }) {
                return "a message that a terminal would obey"
            }
            if shown.split(separator: "\n").contains(where: { $0.unicodeScalars.count > 450 }) { return "a long line" }
        }
        guard let formatted = try? source.formatted() else { return nil }
        let again = SourceText(name: "fuzz.lab", formatted)
        if (try? again.formatted()) != formatted { return "formatted twice gives another text:\n\(formatted)" }
        let before = Outline.of(source.parsed().file as Any)
        return before == Outline.of(again.parsed().file as Any) ? nil : "formatted means something else:\n\(formatted)"
    }

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}
