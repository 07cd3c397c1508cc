import Diagnosis
import Testing
import Trace

/// The catalogue as readers see it.
@Suite struct ExplanationTests {
    @Test func `codes and names are one of a kind, and as one types them`() {
        let codes = FindingCode.allCases
        #expect(Set(codes.map(\.rawValue)).count == codes.count)
        #expect(Set(codes.map(\.name)).count == codes.count)
        #expect(codes.allSatisfy { $0.rawValue.wholeMatch(of: /TL[1-9]\d\d/) != nil })
        #expect(codes.allSatisfy { $0.name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil })
        #expect(codes.map(\.rawValue) == codes.map(\.rawValue).sorted())
    }

    @Test func `what decides how a run ended is called like the outcome`() {
        let others: [FindingCode] = [
            .endlessWait, .queueCycle, .callNotMade, .operationNotRun, .wrongThread, .leakedObject,
            .leakedMemory, .usedAfterRelease, .usedAfterFree, .endlessStarvation,
        ]
        for code in FindingCode.allCases where !others.contains(code) {
            guard let outcome = code.outcome else { continue }
            #expect(code.name == outcome.rawValue)
        }
    }

    @Test func `whatever does not decide how a run ends can be promised, and so can every warning`() {
        for code in FindingCode.allCases {
            #expect((code.warning != nil) == (code.outcome == nil || code.severity != .fault), "\(code)")
        }
        for kind in WarningKind.allCases {
            let codes = FindingCode.allCases.filter { $0.warning == kind }
            #expect(codes.count == 1 && codes.first?.name == kind.rawValue)
            #expect(codes.allSatisfy { WarningKind(word: $0.rawValue.lowercased()) == kind })
            #expect(WarningKind(word: kind.rawValue) == kind)
        }
    }

    @Test(arguments: FindingCode.allCases)
    func `an explanation is whole, short and in sentences`(_ code: FindingCode) {
        let explanation = code.explanation
        #expect(explanation.code == code)
        #expect((2...4).contains(explanation.remedies.count))
        #expect(explanation.sources.first?.hasPrefix("Guide: ") == true)
        let sentences = [
            explanation.meaning, explanation.story, explanation.reason, explanation.confusion, explanation.belief,
        ]
        for text in sentences + explanation.remedies {
            #expect(text.hasSuffix(".") && !text.contains("\n") && !text.contains("  "), "\(text)")
        }
        #expect(explanation.meaning.split(separator: ". ").count == 1, "one sentence says what it is")
        #expect(sentences.joined().count < 1300, "it fits on a page")
    }

    @Test(arguments: FindingCode.allCases)
    func `an explanation names other codes by codes that there are`(_ code: FindingCode) {
        let explanation = code.explanation
        let text = ([explanation.reason, explanation.confusion] + explanation.remedies).joined(separator: " ")
        let named = text.matches(of: /TL\d+/).map { FindingCode(rawValue: String($0.output)) }
        #expect(!named.isEmpty && named.allSatisfy { $0 != nil && $0 != code })
    }

    @Test(arguments: FindingCode.allCases)
    func `the programs differ in the fault, and fit on a screen`(_ code: FindingCode) {
        let example = code.explanation.example
        for text in [example.broken, example.fixed] {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 36 && lines.allSatisfy { $0.count <= 112 })
        }
        #expect(example.broken != example.fixed)
        #expect(example.fixed.contains(", fixed\"\n") && example.fixed.hasSuffix("\nexpect completes\n"))
        #expect(example.shows != code)
        #expect(example.shows == nil || example.remark != nil, "it says why it shows something else")
    }
}
