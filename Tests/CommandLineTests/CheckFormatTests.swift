import Glibc
import Testing

/// The reports of a check for other programs, and checks that are ended from outside.
@Suite struct CheckFormatTests {
    private static func trouble(_ words: String...) -> Invocation {
        let filter = "trouble/[ncehp]*"
        return Invocation(
            program: Programs.plugin,
            arguments: ["check", "--builtin", "--filter", filter, "--runs", "2", "--controlled"] + words)
    }

    @Test func `JSON is one object`() throws {
        let check = try Self.trouble("--format", "json").run().exits(with: 1).isSafeToShow()
        #expect(isJSON(check.output))
        check.prints(#"{"check":2,"passed":3,"failed":2,"#).prints(#""name":"trouble/crash","verdict":"failed""#)
            .prints(#""command":"lab-plugin replay trouble --variant crash --schedule 0"#)
    }

    @Test func `TAP has its plan and a line for each`() throws {
        let check = try Self.trouble("--tap").run().exits(with: 1).isSafeToShow()
        let points = check.lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
        #expect(check.lines.prefix(2) == ["TAP version 13", "1..5"])
        #expect(
            points == [
                "ok 1 - trouble/none", "not ok 2 - trouble/crash", "ok 3 - trouble/prints", "ok 4 - trouble/error",
                "not ok 5 - trouble/hostile-name",
            ])
    }

    @Test func `JUnit's file appears whole, beside the text`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("report.xml")
        try Files.write(file, Array("old".utf8))
        try Self.trouble("--junit", file).run().exits(with: 1).prints("3 passed, 2 failed")
        let text = try #require(Files.text(file))
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"threadlab check\" "))
        #expect(text.hasSuffix("</testsuites>\n") && text.contains("tests=\"5\" failures=\"2\" errors=\"0\""))
        #expect(text.contains("<testcase classname=\"trouble\" name=\"hostile-name\""))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
        #expect(directory.names == ["report.xml"])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted check reports its results so far, and leaves no process behind`(signal: Int32) throws {
        let directory = try TemporaryDirectory()
        for (number, runtime) in ["--controlled", "--native"].enumerated() {
            let file = directory.file("report.xml")
            let check = Invocation(
                program: Programs.plugin,
                arguments: [
                    "check", "--builtin", "--filter", "trouble/[nb]*", "--runs", "2", "--jobs", "1", "--time", "60s",
                    runtime, "--junit", file,
                ])
            try check.with("TMPDIR", directory.path).whenItPrints("pass") { running in
                number == 0 ? running.signalGroup(signal) : running.signal(signal)
            }.run().exits(with: 128 + signal).isSilent().prints("\ninterrupted: 1 passed, 1 not run (")
            #expect(Files.text(file)?.contains("<skipped message=\"not run\"/>") == true)
            #expect(directory.names == ["report.xml"])
        }
    }

    @Test(arguments: ["--controlled", "--native"]) func `a check that is killed leaves no process behind`(
        runtime: String
    )
        throws
    {
        try plugin("check", "--builtin", "--filter", "trouble/[nb]*", "--runs", "2", "--jobs", "1", runtime)
            .whenItPrints("pass") { $0.signal(SIGKILL) }.run().dies(of: SIGKILL)
    }

    @Test func `a check without a reader, or that cannot be written, ends`() throws {
        let words = ["check", "--builtin", "--runs", "5", "--filter", "shutdown/*"]
        for more in [[], ["--tap"], ["--format", "json"]] {
            let check = Invocation(program: Programs.threadlab, arguments: words + more)
            try check.writing(to: .nowhere).run().dies(of: SIGPIPE).isSilent()
            try check.writing(to: .file("/dev/full")).run().exits(with: 2)
                .complains("cannot write: No space left on device; make room there, or name a place on another disk")
        }
    }

    @Test(arguments: ["deadlock", "completes"]) func `the script of docs/ci.md does what it says`(expectation: String)
        throws
    {
        let page = try #require(
            Files.text(#filePath.replacing("Tests/CommandLineTests/CheckFormatTests.swift", with: "docs/ci.md")))
        let script = try #require(page.firstMatch(of: #/```sh\n(?<script>(?s:.*?))```/#)).output.script
        let directory = try TemporaryDirectory()
        try directory.directory("scenarios")
        let file = try directory.write("check.sh", Array(String(script).utf8))
        let text =
            "scenario \"gate\"\natomic gate = 0\nthread guest { await gate.load() == 1 }\nexpect \(expectation)\n"
        _ = try directory.write("scenarios/gate.lab", Array(text.utf8))
        let path = Programs.threadlab.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        try Invocation(program: "/bin/sh", arguments: [file]).with("PATH", "\(path):/usr/bin:/bin").run()
            .exits(with: expectation == "deadlock" ? 0 : 1).prints("scenarios/gate.lab").prints("deadlock")
        #expect(directory.names == ["check.sh", "report.xml", "scenarios"])
    }
}
