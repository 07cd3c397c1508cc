import Testing

/// Files that are not traces, or damaged ones. Each gets one clear line.
@Suite struct HostileTraceTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let complaint: String

        init(_ name: String, _ bytes: [UInt8], _ complaint: String) {
            testDescription = name
            self.bytes = bytes
            self.complaint = complaint
        }

        init(_ name: String, _ text: String, _ complaint: String) { self.init(name, Array(text.utf8), complaint) }
    }

    private static let header = "{\"threadlab\":2,\"scenario\":\"deadlock\",\"parameters\":{},\"runtime\":\"native\"}\n"

    static let cases = [
        Case("empty", "", " is empty, not a trace"),
        Case("text", "hello\n", " is not a readable trace: neither JSON Lines nor a recording"),
        Case("binary", (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 167) }, " is not a readable trace: "),
        Case("zeros", [UInt8](repeating: 0, count: 1 << 20), " is not a readable trace: "),
        Case(
            "recording of zeros", Array("tlabrec1".utf8) + [UInt8](repeating: 0, count: 1 << 20),
            " is not a readable trace"),
        Case("other JSON", "{\"a\":1}\n", ": line 1: expected the header of a saved trace"),
        Case("later version", "{\"threadlab\":99}\n", ": line 1: this trace has format version 99"),
        Case("unfinished header", "{\"threadlab\":2,", ": line 1: expected "),
        Case(
            "huge line", header + "{\"x\":\"" + String(repeating: "a", count: 2 << 20) + "\"}\n",
            ": line 2: expected a line of"),
        Case("deep", header + String(repeating: "[", count: 100_000) + "\n", ": line 2: expected "),
        Case(
            "no such thread", header + "{\"n\":1,\"t\":0,\"thread\":\"x\",\"kind\":\"note\"}\n",
            ": line 2: expected a declared name"),
        Case(
            "escape", header + "{\"n\":1,\"t\":0,\"thread\":0,\"kind\":\"\\u001b[31m\"}\n",
            ": line 2: this version does not support the kind of event "),
    ]

    @Test(arguments: cases) func `a file that is not a trace is reported in one line`(hostile: Case) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("x", hostile.bytes)
        for command in ["trace", "replay", "play"] {
            try threadlab(command, file).run().exits(with: 2).printsNothing().complainsInOneLine(
                about: hostile.complaint)
        }
    }

    /// Numbers as large as their types allow, where views calculate with them.
    @Test func `a trace's greatest numbers are shown in every view`() throws {
        let directory = try TemporaryDirectory()
        let start = Self.header + "{\"thread\":0,\"name\":\"main\"}\n"
        let end = "{\"outcome\":{\"kind\":\"timeout\",\"summary\":\"s\"}}\n"
        for line in [
            #"{"n":1,"t":0,"thread":0,"kind":"run.timeout","value":4611686018427387904}"#,
            #"{"n":1,"t":0,"thread":0,"kind":"run.step-limit","value":9223372036854775807}"#,
            #"{"n":1,"t":18446744073709551615,"thread":0,"kind":"note","text":"a","at":"x.lab:2147483647"}"#,
            #"{"n":1,"t":0,"thread":0,"kind":"note","text":"a","at":"x.lab:-2147483648"}"#,
        ] {
            let file = try directory.write("x", Array((start + line + "\n" + end).utf8))
            for words in [
                ["trace", file], ["trace", file, "--code"], ["export", file, directory.file("p.pftrace")],
                ["export", file, directory.file("h.html")], ["export", file, directory.file("s.svg")],
            ] {
                let ended = try Invocation(program: Programs.threadlab, arguments: words).run()
                    .isSafeToShow()
                #expect(ended.signal == nil && ended.code != 3)
            }
        }
        let event = #"{"n":1,"t":0,"thread":0,"kind":"note","text":"a","at":"x:-9223372036854775808"}"#
        let file = try directory.write("x", Array((start + event + "\n").utf8))
        try threadlab("trace", file).run().exits(with: 2).complainsInOneLine(about: ": line 3: expected \"at\"")
    }

    @Test func `a trace that was cut off is shown up to its last whole line`() throws {
        let directory = try TemporaryDirectory()
        let text = try threadlab("run", "deadlock", "--seed", "1", "--format", "json").run().succeeds().output
        for length in [text.utf8.count / 2, text.utf8.count - 2] {
            let file = try directory.write("x", Array(text.utf8.prefix(length)))
            try threadlab("trace", file).run().succeeds().prints("thread.create").isSafeToShow()
        }
    }

    @Test func `a trace of a scenario that is not known is shown all the same`() throws {
        let directory = try TemporaryDirectory()
        let text = try plugin("run", "trouble", "--seed", "1", "--format", "json").run().succeeds().output
        let file = try directory.write("x", Array(text.utf8))
        try threadlab("trace", file).run().succeeds().prints("completed: ")
        try threadlab("replay", file).run().exits(with: 2).complainsInOneLine(about: "unknown scenario 'trouble'")
    }

    @Test func `damaged recordings are no harm`() throws {
        let directory = try TemporaryDirectory()
        try plugin("run", "trouble", "--variant", "busy", "--save", directory.file("x"))
            .with("TMPDIR", directory.path).whenItSays("busy") { $0.signal(9) }.run()
        // The first 8 MiB hold the header, the lanes and the beginning of the names.
        var bytes = Array(try #require(Files.read(directory.file("x.recording"))).prefix(8 << 20))
        try threadlab("trace", try directory.write("short", bytes)).run().isSafeToShow()
        for index in stride(from: 4096, to: bytes.count, by: 97) { bytes[index] = UInt8(truncatingIfNeeded: index) }
        try threadlab("trace", try directory.write("damaged", bytes)).run().isSafeToShow()
    }
}
