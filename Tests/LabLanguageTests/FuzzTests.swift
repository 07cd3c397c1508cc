import Glibc
import Support
import Testing

@testable import LabLanguage

/// Reads and formats texts that nobody would write. `THREADLAB_FUZZ_SECONDS` gives each fuzzer that much time; without it a
/// fixed number of texts is tried. A text that fails is reported with its seed, which `THREADLAB_FUZZ_SEED` repeats.
@Suite(.serialized) struct FuzzTests {
    @Test("any bytes are read, and refused with messages that are safe to show")
    func bytes() {
        fuzz("bytes", rounds: 400) { generator in ByteFuzzer.text(&generator) }
    }

    @Test("any words of the language in any order are read")
    func words() {
        fuzz("words", rounds: 1500) { generator in WordFuzzer.text(&generator) }
    }

    @Test(
        "programs of the grammar are read without a mistake of syntax, and keep their meaning when they are formatted")
    func grammar() {
        fuzz("grammar", rounds: 60) { generator in
            var fuzzer = GrammarFuzzer(generator)
            let text = fuzzer.program()
            generator = fuzzer.generator
            let errors = SourceText(name: "fuzz.lab", text).parsed().parser.diagnostics.errors
            if let error = errors.first { Issue.record("\(error.message)\n\(text)") }
            return Array(text.utf8)
        }
    }

    private func fuzz(_ name: String, rounds: Int, _ text: (inout SeededGenerator) -> [UInt8]) {
        if let seed = Self.number("THREADLAB_FUZZ_SEED") { return check(seed, text) }
        let end = Self.number("THREADLAB_FUZZ_SECONDS").map { ContinuousClock.now + .seconds(Int64($0)) }
        let first: UInt64 = end == nil ? 1 : UInt64.random(in: 1 << 32...UInt64.max >> 1)
        var seed = first
        while end.map({ ContinuousClock.now < $0 }) ?? (seed < first + UInt64(rounds)) {
            check(seed, text)
            seed += 1
        }
        print("fuzz \(name): \(seed - first) texts, seeds \(first) to \(seed - 1)")
    }

    private func check(_ seed: UInt64, _ text: (inout SeededGenerator) -> [UInt8]) {
        var generator = SeededGenerator(seed: seed)
        let source = SourceText(name: "fuzz.lab", text(&generator))
        if let complaint = Self.complaint(source) {
            Issue.record("THREADLAB_FUZZ_SEED=\(seed): \(complaint)\n\(String(decoding: source.bytes, as: UTF8.self))")
        }
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
