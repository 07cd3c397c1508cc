import LabEditing
import LabExecution
import LabProgram
import Machine
import Support
import Trace

@testable import LabSyntax

/// A kind of absurd texts, and what must hold for them.
enum Fuzzer: String, CaseIterable {
    /// Any bytes, and any words of the language, are read, and rejected with messages that are safe to show.
    case bytes, words
    /// Programs of the grammar are read without a mistake of syntax, and keep their meaning when they are formatted.
    case grammar
    /// Those that have no mistake at all run, in the same way each time.
    case runs

    /// The default number of texts.
    var rounds: UInt64 {
        switch self {
        case .bytes: 400
        case .words: 1500
        case .grammar, .runs: 60
        }
    }

    /// What is wrong with this seed's text or its handling, and the text. Nil: nothing.
    func complaint(seed: UInt64) throws -> String? {
        var generator = SplitMix64(seed: seed)
        let source = SourceText(name: "fuzz.lab", text(&generator))
        let complaint =
            switch self {
            case .bytes, .words: Self.misreading(source)
            case .grammar: source.parsed().parser.diagnostics.errors.first?.message ?? Self.misreading(source)
            case .runs: try Self.disagreement(source, seed: seed)
            }
        return complaint.map {
            "\(self), THREADLAB_FUZZ_SEED=\(seed): \($0)\n\(source.text(Span(0, source.bytes.count)))"
        }
    }

    private func text(_ generator: inout SplitMix64) -> [UInt8] {
        switch self {
        case .bytes: return ByteFuzzer.text(&generator)
        case .words: return WordFuzzer.text(&generator)
        case .grammar, .runs:
            var fuzzer = GrammarFuzzer(generator)
            return Array(fuzzer.program().utf8)
        }
    }

    /// A property of all texts that this one violates.
    private static func misreading(_ source: SourceText) -> String? {
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
        walk(source)
        guard let formatted = try? source.formatted() else { return nil }
        let again = SourceText(name: "fuzz.lab", formatted)
        if (try? again.formatted()) != formatted { return "formatted twice gives another text:\n\(formatted)" }
        let before = Outline.of(source.parsed().file as Any)
        return before == Outline.of(again.parsed().file as Any) ? nil : "formatted means something else:\n\(formatted)"
    }

    /// All that goes over a text by itself, at places of its errors and others. It must return; what it finds is not judged here.
    private static func walk(_ source: SourceText) {
        let count = source.bytes.count
        let errors = source.read().diagnostics.map(\.span.start)
        for place in errors + [-1, 0, 1, count / 3, count / 2, count - 401, count - 1, count, count + 1] {
            _ = source.wordSpan(at: source.site(of: place))
            _ = source.text(Span(place, place + 1))
        }
        _ = source.words()
        _ = source.linesOfQuestion
        _ = source.changes()
        let edited = EditedProgram(source)
        for place in errors.prefix(2) + [0, count / 2, count] {
            _ = edited.completions(at: place)
            _ = edited.word(at: place)
        }
    }

    /// How two runs of the program with the same choices differ. A program with a mistake does not run.
    private static func disagreement(_ source: SourceText, seed: UInt64) throws -> String? {
        guard let program = source.read().program else { return nil }
        let runner = LabRunner(try program.compiled())
        var generator = SplitMix64(seed: seed)
        var rules = Rules(maximumSteps: 1000, spuriousWakeups: .random(in: 0...2, using: &generator))
        rules.waiters = Rules.Waiters.allCases.randomElement(using: &generator)!
        rules.timeouts = Rules.Timeouts.allCases.randomElement(using: &generator)!
        rules.endsAtCycles = Bool.random(using: &generator)
        return runner.disagreement(seed: seed, rules: rules) ?? runner.snapshotDisagreement(seed: seed, rules: rules)
    }
}
