import LabProgram
import LabSyntax
import Testing

@Suite struct DiagnosticTextTests {
    private func text(_ program: String, name: String = "x.lab") -> String {
        let source = SourceText(name: name, program)
        return source.read().diagnostics.map { $0.text(in: source) }.joined(separator: "\n")
    }

    @Test func `a message shows the place, the line with carets, and what to write`() {
        let program = """
            scenario "lost update"
            shared count = 0
            thread adder[2] {
                let seen = cuont
            }
            """
        #expect(
            text(program) == """
                x.lab:4:16: error: there is no variable 'cuont'
                   4 |     let seen = cuont
                     |                ^~~~~ did you mean 'count'?
                """)
    }

    /// 400 bytes are the most that a message looks at; the walk to a character's first byte must not go beyond them.
    @Test(arguments: [3, 399, 400, 401, 402, 5000], [0x80, 0x9C, 0xBF, 0xFF])
    func `a long run of bytes that are no UTF-8 is an error like any other`(count: Int, byte: UInt8) {
        for before in [" ", "", "// ", "note \"", "scenario \"x\"\nü"] {
            let source = SourceText(
                name: "x.lab", Array(before.utf8) + [UInt8](repeating: byte, count: count) + Array(" x\n".utf8))
            let texts = source.read().diagnostics.map { $0.text(in: source) }
            #expect(!texts.isEmpty && texts.allSatisfy { $0.contains("x.lab:") })
        }
    }

    @Test func `a message shows the other place concerned`() {
        #expect(
            text("scenario \"x\"\nmutex m, m\n") == """
                x.lab:2:10: error: 'm' is already declared
                   2 | mutex m, m
                     |          ^ choose another name
                x.lab:2:7: note: the first declaration is here
                   2 | mutex m, m
                     |       ^
                """)
    }

    @Test func `a message counts a tab as one column, and shows it as four`() {
        #expect(
            text("scenario \"x\"\nthread a {\n\t\tnote\t3\n}") == """
                x.lab:3:8: error: expected a text in quotation marks, found '3'
                   3 |         note    3
                     |                 ^
                """)
    }

    @Test func `a message puts the caret under wide characters, and behind them`() {
        #expect(
            text("scenario \"x\"\nthread a { note \"日本\" + 1 }") == """
                x.lab:2:22: error: expected the end of the statement, found '+'
                   2 | thread a { note "日本" + 1 }
                     |                        ^ statements are separated by new lines or ';'
                """)
    }

    @Test func `a message does not print escape sequences of the file or of its name`() {
        let shown = text("scenario \"x\"\nmutex \u{1B}[31m\u{202E}m, \u{7}\n", name: "\u{1B}]0;x\u{7}.lab")
        #expect(!shown.unicodeScalars.contains { $0 != "\n" && $0.value < 32 || $0.value == 0x202E })
        #expect(shown.contains("mutex ␛[31m\u{FFFD}m, ␇"))
    }

    @Test func `a message crops a long line to the surroundings of the caret`() throws {
        let padding = String(repeating: "m.lock(); ", count: 200)
        let shown = text("scenario \"x\"\nmutex m\nthread a { \(padding)m.lok(); \(padding)}")
        let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 3)
        #expect(lines[1].count < 120 && lines[1].hasPrefix("   3 | …") && lines[1].hasSuffix("…"))
        let caret = try #require(lines[2].firstIndex(of: "^"))
        let column = lines[2].distance(from: lines[2].startIndex, to: caret)
        #expect(lines[1].dropFirst(column).hasPrefix("lok()"))
    }

    @Test func `a message shows the end of a file that has no last line end`() {
        #expect(
            text("scenario \"x\"\nthread a {") == """
                x.lab:2:11: error: a '}' is missing before the end of the file
                   2 | thread a {
                     |           ^
                x.lab:2:10: note: this is the '{' that it closes
                   2 | thread a {
                     |          ^
                """)
    }

    @Test func `line ends of CR LF and a byte order mark are read`() {
        #expect(text("\u{FEFF}scenario \"x\"\r\nmutex m\r\nthread a { lock m { } }\r\n").isEmpty)
        #expect(text("scenario \"x\"\r\nmutex\r\n").contains("\n   2 | mutex\n"))
    }
}
