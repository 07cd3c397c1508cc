import LabProgram
import LabSyntax
import Testing

@Suite struct MarkerTests {
    @Test(
        arguments: WrongPrograms.all.map(Sample.init)
    )
    func `a mistake is answered at its place, with what is wrong and what to write instead`(sample: Sample) {
        let program = sample.text
        let expected = Marker.expected(in: program)
        #expect(!expected.isEmpty)
        compare(Marker.found(in: program), expected, program)
        #expect(SourceText(name: "test.lab", program).read().program == nil)
    }

    @Test(arguments: DoubtfulPrograms.all.map(Sample.init))
    func `a likely mistake gets a warning`(sample: Sample) {
        let program = sample.text
        compare(Marker.found(in: program), Marker.expected(in: program), program)
        #expect(SourceText(name: "test.lab", program).read().program != nil)
    }

    @Test(arguments: RightPrograms.all.map(Sample.init))
    func `a valid program gets no message`(sample: Sample) {
        let program = sample.text
        compare(Marker.found(in: program), [], program)
        #expect(SourceText(name: "test.lab", program).read().program != nil)
    }

    private func compare(_ found: [Marker], _ expected: [Marker], _ program: String) {
        for marker in found where !expected.contains(marker) { Issue.record("not expected: \(marker)\n\(program)") }
        for marker in expected where !found.contains(marker) { Issue.record("not found: \(marker)\n\(program)") }
    }
}
