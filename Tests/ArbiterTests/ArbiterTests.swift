import Arbiter
import Testing

@Suite struct ArbiterTests {
    @Test func `placeholder`() { #expect(Judgment(Generator.program(seed: 1), Rulebook()) != nil) }
}
