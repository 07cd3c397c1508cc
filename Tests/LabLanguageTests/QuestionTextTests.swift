import LabSyntax
import Support
import Testing

/// A program's text without what gives the answer away.
@Suite struct QuestionTextTests {
    private func lines(_ text: String) -> [String] {
        SourceText(name: "x.lab", text).linesOfQuestion.map { "\($0.number) \($0.text)" }
    }

    @Test func `the comment, the name and what is expected are left out, and numbers stay`() {
        let text = """
            /// Two threads deadlock.
            // They do.
            scenario "deadlock"

            /// how many
            parameter n = 2
            mutex a  // not b

            // It can happen:
            // see above.
            expect deadlock  // always
            expect sometimes n == 2

            """
        #expect(lines(text) == ["5 /// how many", "6 parameter n = 2", "7 mutex a  // not b"])
    }

    @Test func `an invariant stays, and so does what shares a line with an expectation`() {
        let invariant = "scenario \"x\"\nshared n = 0\ninvariant n == 0\nexpect broken invariant n == 0"
        #expect(lines(invariant) == ["2 shared n = 0", "3 invariant n == 0"])
        #expect(lines("scenario \"x\"\nmutex m; expect completes\nmutex n") == ["2 mutex m; ", "3 mutex n"])
    }

    @Test func `a list of outcomes over several lines is left out`() {
        let outcomes = "scenario \"x\"\nshared n = 0\nexpect outcomes {\n    n == 0\n    n == 1\n}\nmutex m"
        #expect(lines(outcomes) == ["2 shared n = 0", "7 mutex m"])
    }

    @Test func `no program of the library shows what it expects`() throws {
        for path in Repository.paths(in: "scenarios", ending: ".lab") {
            let text = try #require(Repository.text(of: path))
            let lines = SourceText(name: path, text).linesOfQuestion
            #expect(!lines.isEmpty && lines.allSatisfy { !$0.text.hasPrefix("expect") }, "\(path)")
        }
    }
}
