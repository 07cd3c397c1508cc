import Testing
import Text

@Suite struct ClosestTests {
    private let known = ["list", "show", "run", "replay", "trace", "completion", "--variant", "producer-consumer"]

    @Test(
        arguments: [
            ("lst", "list"), ("lits", "list"), ("LIST", "list"), ("rnu", "run"), ("tracee", "trace"),
            ("comp", "completion"),
            ("--varient", "--variant"), ("variant", "--variant"), ("producer", "producer-consumer"),
            ("producer_consumer", "producer-consumer"),
        ])
    func `a word with few mistakes, or the beginning of a known word, finds it`(word: String, expected: String) {
        #expect(closest(to: word, among: known) == expected)
    }

    @Test(arguments: ["", "x", "--", "zebra", "--format"])
    func `a word unlike any known one finds nothing`(word: String) {
        #expect(closest(to: word, among: known) == nil)
    }

    @Test func `the word with fewer mistakes wins, and the first among equals`() {
        #expect(closest(to: "trace", among: ["brace", "trace"]) == "trace")
        #expect(closest(to: "race", among: ["brace", "trace"]) == "brace")
        #expect(closest(to: "x", among: []) == nil)
    }
}
