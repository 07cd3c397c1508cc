import Glibc
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

    /// Texts of bytes and scalars that mean something to a shell, with marks that join what stands before them to one character.
    private static let texts: [String] = {
        let parts = [
            "'", "\"", "\\", " ", "\n", "\r\n", "\t", "$", "$'", ";", "`", "\u{301}", "\u{200D}", "\u{202E}", "a", "ü",
            "", "\\012",
        ]
        var generator = SystemRandomNumberGenerator()
        let random = (0..<2000).map { _ in
            (0..<Int.random(in: 0...8, using: &generator)).map { _ in parts.randomElement(using: &generator)! }.joined()
        }
        return parts.flatMap { first in parts.map { first + $0 } } + random
    }()

    @Test func `a mark with an accent behind it is quoted`() {
        #expect("x'\u{301};rm".quotedForShell == "'x'\\''\u{301};rm'")
    }

    @Test func `words that are quoted and separated are the words again`() throws {
        for text in Self.texts {
            #expect(ShellWords(text.quotedForShell)?.words == [text], "\(text.debugDescription)")
            #expect(ShellWords("a \(text.quotedForShell)  b")?.words == ["a", text, "b"])
        }
    }

    @Test func `a shell reads what is quoted as the text itself`() throws {
        // A process for each would take long: one prints all of them, each with an end that no text has.
        let script = Self.texts.map { "printf '%s\\0' \($0.quotedForShell)\n" }.joined()
        let name = "/tmp/threadlab-shell-\(getpid()).sh"
        let file = try #require(fopen(name, "we"))
        fputs(script, file)
        fclose(file)
        defer { unlink(name) }
        let shell = try #require(popen("bash \(name)", "re"))
        defer { pclose(shell) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(shell), byte != EOF { bytes.append(UInt8(byte)) }
        let words = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Array($0) }
        #expect(words == Self.texts.map { Array($0.utf8) })
    }

    @Test(arguments: ["'", "\"", "a\\", "$'\\9'", "$'\\0"]) func `what is not closed has no words`(text: String) {
        #expect(ShellWords(text) == nil)
    }

    @Test func `people's marks are understood`() {
        #expect(ShellWords("-n 2 \"a b\" c\\ d ''")?.words == ["-n", "2", "a b", "c d", ""])
        #expect(ShellWords("  ")?.words == [])
    }
}
