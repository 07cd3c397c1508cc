import Testing
import Text

@Suite struct ShellTests {
    @Test(
        arguments: [
            ["replay", "deadlock"], ["run", "it's a file.lab", "--seed", "1"], ["'", "''", " ", "a\\ b"], ["--a=b c"],
        ])
    func `a command has the parts that a shell would separate`(words: [String]) {
        let quoted = words.map(\.quotedForShell)
        #expect(quoted.joined(separator: " ").shellWords == quoted)
    }
}
