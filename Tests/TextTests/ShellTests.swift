import Testing
import Text

@Suite struct ShellTests {
    @Test(
        arguments: [
            ["replay", "deadlock"], ["two\nlines", "it's \u{1B}[31m red", "\u{202E}x y\\"],
            ["run", "it's a file.lab", "--seed", "1"], ["'", "''", " ", "a\\ b"], ["--a=b c"],
        ])
    func `a command has the parts that a shell would separate`(words: [String]) {
        let quoted = words.map(\.quotedForShell)
        #expect(quoted.joined(separator: " ").shellWords == quoted)
    }

    @Test func `what a report does not print as it is has its octal digits`() {
        #expect("a b".quotedForShell == "'a b'")
        #expect("a\nb's\\".quotedForShell == "$'a\\012b\\047s\\134'")
        #expect("ü\u{202E}".quotedForShell == "$'ü\\342\\200\\256'")
    }

    @Test func `a path is no option`() {
        #expect("-x.lab".quotedAsPath == "./-x.lab")
        #expect("-a b".quotedAsPath == "'./-a b'")
        #expect("-".quotedAsPath == "-" && "a-b".quotedAsPath == "a-b")
    }
}
