import LabExecution
import LabProgram
import LabSyntax
import Testing

/// What a program only declares takes no search away.
@Suite struct GraphObstacleTests {
    private func part(_ text: String) throws -> String? {
        let reading = SourceText(name: "test.lab", "scenario \"test\"\n" + text).read()
        return try #require(reading.program).compiled().partWithoutGraph
    }

    @Test func `an unused condition or latch does not take the search by graphs away, and a used one does`() throws {
        let declared = "mutex m\ncondition c with m\nlatch l(1)\natomic x = 0\nthread a { x.store(1, relaxed) }\n"
        #expect(try part(declared) == nil)
        #expect(try part(declared + "thread b { lock m { c.signal() } }") != nil)
        #expect(try part(declared + "thread b { l.wait() }") != nil)
    }
}
