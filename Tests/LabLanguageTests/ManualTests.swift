import Authoring
import Execution
import Exploration
import LabExecution
import LabProgram
import Scenarios
import Support
import Testing
import Trace

@testable import LabSyntax

@Suite("docs/language.md") struct ManualTests {
    static let examples = Repository.blocks(of: "lab", in: "docs/language.md").map(Sample.init)

    @Test("has examples that are valid, without warnings", arguments: examples)
    func example(sample: Sample) {
        let source = sample.source
        let reading = source.read()
        #expect(reading.diagnostics.map { $0.text(in: source) }.joined(separator: "\n") == "")
        #expect(reading.program != nil)
    }

    @Test("has examples that end under the scheduler as they announce, in every announced way", arguments: examples)
    func execution(sample: Sample) throws {
        let program = try #require(sample.source.read().program)
        let scenario = try LabFile(program, scenarios: Catalogue.builtIn).configured([])
        let kinds = (0..<300).map { seed in
            LabRunner.controlled(RandomWalk(seed: seed)) { try scenario.run() }.outcome.kind
        }
        let outcomes = Set(kinds)
        #expect(outcomes.isSubset(of: scenario.expectation.allowed))
        #expect(outcomes.isSuperset(of: scenario.expectation.findings))
    }

    @Test("has examples in canonical form", arguments: examples)
    func form(sample: Sample) {
        #expect((try? sample.source.formatted()) == sample.text)
    }

    @Test("has an example for every construct")
    func count() { #expect(Self.examples.count >= 17) }

    @Test("lists the words of the language", arguments: [true, false])
    func words(areReserved: Bool) throws {
        let text = try #require(Repository.text(of: "docs/language.md"))
        let list = Keyword.allWords.filter { Keyword.reservedWords.contains($0) == areReserved }.sorted()
        #expect(
            text.split(whereSeparator: \.isNewline).joined(separator: " ").contains(
                list.map { "`\($0)`" }.joined(separator: " ")))
    }

    @Test("names every outcome and the limits")
    func outcomes() throws {
        let text = try #require(Repository.text(of: "docs/language.md"))
        for kind in OutcomeWords.kinds { #expect(text.contains("\"\(kind.rawValue)\"")) }
        #expect(text.contains("at most \(Limits.threads) threads") && text.contains("at most \(Limits.nesting) deep"))
    }
}
