import LabProgram
import LabSyntax
import Testing

@Suite struct MarkerTests {
    @Test(
        "a mistake is answered at its place, with what is wrong and what to write instead",
        arguments: WrongPrograms.all.map(Sample.init)
    )
    func wrong(sample: Sample) {
        let program = sample.text
        let expected = Marker.expected(in: program)
        #expect(!expected.isEmpty)
        compare(Marker.found(in: program), expected, program)
        #expect(SourceText(name: "test.lab", program).read().program == nil)
    }

    @Test("a likely mistake gets a warning", arguments: DoubtfulPrograms.all.map(Sample.init))
    func doubtful(sample: Sample) {
        let program = sample.text
        compare(Marker.found(in: program), Marker.expected(in: program), program)
        #expect(SourceText(name: "test.lab", program).read().program != nil)
    }

    @Test("a valid program gets no message", arguments: RightPrograms.all.map(Sample.init))
    func right(sample: Sample) {
        let program = sample.text
        compare(Marker.found(in: program), [], program)
        #expect(SourceText(name: "test.lab", program).read().program != nil)
    }

    private func compare(_ found: [Marker], _ expected: [Marker], _ program: String) {
        for marker in found where !expected.contains(marker) { Issue.record("not expected: \(marker)\n\(program)") }
        for marker in expected where !found.contains(marker) { Issue.record("not found: \(marker)\n\(program)") }
    }
}
