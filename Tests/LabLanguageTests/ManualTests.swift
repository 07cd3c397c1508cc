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

@Suite struct ManualTests {
    static let examples = Repository.blocks(of: "lab", in: "docs/language.md").map(Sample.init)

    @Test(arguments: examples)
    func `the manual has examples that are valid, without warnings`(sample: Sample) {
        let source = sample.source
        let reading = source.read()
        #expect(reading.diagnostics.map { $0.text(in: source) }.joined(separator: "\n") == "")
        #expect(reading.program != nil)
    }

    @Test(arguments: examples)
    func `the manual has examples that end under the scheduler as they announce, in every announced way`(sample: Sample)
        throws
    {
        let program = try #require(sample.source.read().program)
        let scenario = try LabFile(program, scenarios: Catalogue.builtIn).configured([])
        let kinds = (0..<300).map { seed in
            LabRunner.controlled(RandomWalk(seed: seed)) { try scenario.run() }.outcome.kind
        }
        let outcomes = Set(kinds)
        #expect(outcomes.isSubset(of: scenario.expectation.allowed))
        #expect(outcomes.isSuperset(of: scenario.expectation.findings))
    }

    @Test(arguments: examples)
    func `the manual has examples in canonical form`(sample: Sample) {
        #expect((try? sample.source.formatted()) == sample.text)
    }

    @Test func `the manual has an example for every construct`() { #expect(Self.examples.count >= 17) }

    @Test(arguments: [true, false])
    func `the manual lists the words of the language`(areReserved: Bool) throws {
        let text = try #require(Repository.text(of: "docs/language.md"))
        let list = Keyword.allWords.filter { Keyword.reservedWords.contains($0) == areReserved }.sorted()
        #expect(
            text.split(whereSeparator: \.isNewline).joined(separator: " ").contains(
                list.map { "`\($0)`" }.joined(separator: " ")))
    }

    @Test func `the manual names every outcome and the limits`() throws {
        let text = try #require(Repository.text(of: "docs/language.md"))
        for kind in OutcomeWords.kinds { #expect(text.contains("\"\(kind.rawValue)\"")) }
        #expect(text.contains("at most \(Limits.threads) threads") && text.contains("at most \(Limits.nesting) deep"))
    }
}
