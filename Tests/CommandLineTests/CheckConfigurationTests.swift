import Glibc
import Testing

/// `threadlab.toml`: the options of a check in a file.
@Suite struct CheckConfigurationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for folder in [".git", "labs", "labs/slow"] { try directory.directory(folder) }
        let mixed = try CheckTests.mixed()
        for (name, content) in [("a", "good"), ("b", "bad"), ("slow/c", "good")] {
            _ = try directory.write("labs/\(name).lab", try #require(Files.read(mixed.file("\(content).lab"))))
        }
    }

    private func check(_ text: String, in folder: String = ".", _ words: String...) throws -> Ended {
        _ = try directory.write("threadlab.toml", Array(text.utf8))
        return try Invocation(program: Programs.threadlab, arguments: ["check"] + words)
            .inDirectory(directory.file(folder)).run()
    }

    private static let text = """
        # What everyone checks.
        [check]
        paths = [
            "labs",  # all of them
        ]
        controlled = true
        exclude = ["slow/*"]
        junit = 'report.xml'

        [profile.nightly]
        exclude = []
        runs = 1_0

        [profile."c i"]
        baseline = "known.txt"
        require-proof = true
        """.replacing("1_0", with: "10").replacing("everyone checks", with: "is checked")

    @Test func `options of the file count, in any folder of the repository`() throws {
        for folder in [".", "labs", "labs/slow"] {
            try check(Self.text, in: folder, "--quiet").exits(with: 1).prints("\n1 passed, 1 failed (")
            #expect(directory.names.contains("report.xml"))
            unlink(directory.file("report.xml"))
        }
        #expect(try check(Self.text, in: "labs", "--list").output == "labs/a.lab\nlabs/b.lab\n")
    }

    @Test func `what is typed counts more, and what excludes an option takes its place`() throws {
        #expect(try check(Self.text, "labs/slow", "--list", "--exclude", "x").exits(with: 2).output == "")
        #expect(try check(Self.text, "labs/a.lab", "--list").output == "labs/a.lab\n")
        try check(Self.text, "--filter", "a", "--native", "--runs", "2").succeeds().prints("native: ").doesNotPrint(
            "orders")
        unlink(directory.file("report.xml"))
        _ = try check(Self.text, "--filter", "a", "--junit", "other.xml").succeeds()
        #expect(directory.names.contains("other.xml") && !directory.names.contains("report.xml"))
        try check(Self.text, "--profile", "c i", "--write-baseline", "known.txt").succeeds()
        try check(Self.text, "--profile=c i").succeeds().prints("1 passed, 1 known failure")
    }

    @Test func `a profile adds to the file, and --no-config ignores it`() throws {
        #expect(
            try check(Self.text, "--profile", "nightly", "--list").output == "labs/a.lab\nlabs/b.lab\nlabs/slow/c.lab\n"
        )
        try check(Self.text, "--profile", "nigtly").exits(with: 2).printsNothing()
            .complainsInOneLine(about: "threadlab.toml has no [profile.nigtly]; did you mean 'nightly'?")
        try check(Self.text, "--no-config").exits(with: 2).complainsInOneLine(about: "name .lab files, folders")
        try check(Self.text, "--help").succeeds().prints("--profile NAME")
        unlink(directory.file("threadlab.toml"))
        try Invocation(program: Programs.threadlab, arguments: ["check", "labs", "--profile", "ci"])
            .inDirectory(directory.path).run().exits(with: 2)
            .complainsInOneLine(about: "--profile ci: there is no threadlab.toml here or in a folder around this one")
    }

    @Test(
        arguments: [
            ("x = 1\n", ":1:1: an option without a table: there are [check] and [profile.NAME]"),
            // In a profile that is not used, too.
            ("[profile.nightly]\nrunz = 3\n", ":2:1: 'check' has no option 'runz'; did you mean 'runs'?"),
            ("[profile.nightly]\nruns = \"many\"\n", ":2:8: runs many: must be "),
            ("[chek]\n", ":1:1: [chek]: there are [check] and [profile.NAME]"),
            ("[check]\ntme = \"1s\"\n", ":2:1: 'check' has no option 'tme'; did you mean 'time'?"),
            ("[check]\ntime = \"soon\"\n", ":2:8: time soon: must be a time such as 10s"),
            ("[check]\n  jobs = true\n", ":2:10: must be a string or a number"),
            ("[check]\ncontrolled = 1\n", ":2:14: controlled: must be true or false"),
            ("[check]\nprofile = \"ci\"\n", ":2:1: 'check' has no option 'profile'"),
            ("[check]\njobs = 0\n", ":2:8: jobs 0: must be a whole number from 1 to 1024"),
        ]) func `what is wrong is named with its place`(text: String, message: String) throws
    {
        try check(text, "labs").exits(with: 2).printsNothing().complainsInOneLine(about: "threadlab.toml" + message)
    }

    @Test(
        arguments: [
            ("[check\n", ":1:7: expected ']'"), ("[check]\ntime\n", ":2:5: expected '='"),
            ("[check]\na.b = 1\n", ":2:2: dotted keys are not supported: write a table"),
            ("[[check]]\n", ":1:2: arrays of tables are not supported"),
            ("[check]\ntime = { a = 1 }\n", ":2:8: inline tables are not supported: write a table"),
            ("[check]\ntime = 1.5\n", ":2:8: '1.5' is not supported: write a string in quotation marks"),
            ("[check]\ntime = \"a\n", ":2:10: a string ends in its line"),
            ("[check]\ntime = \"\"\"a\"\"\"\n", ":2:10: strings of several lines are not supported"),
            ("[check]\ntime = \"\\q\"\n", ":2:10: '\\q' is not an escape"),
            ("[check]\njobs = 1\njobs = 2\n", ":3:1: 'jobs' has a value already"),
            ("[check]\n[check]\n", ":2:1: there are two tables [check]"),
            ("[check]\nfilter = [1 2]\n", ":2:13: expected ',' or ']'"),
            ("[check]\njobs = 007\n", ":2:8: '007' is not supported"),
            ("[check]\njobs = 1 2\n", ":2:10: expected the end of the line"),
            ("[check]\nfilter = [[[[[[[[[[1]]]]]]]]]]\n", ":2:18: arrays are nested too deeply"),
            ("[check]\nfilter = \"\\ud800\"\n", ":2:12: not the number of a character"),
        ]) func `what is no part of the format is refused with its place`(text: String, message: String) throws
    {
        try check(text, "labs").exits(with: 2).printsNothing().complainsInOneLine(about: "threadlab.toml" + message)
    }

    /// Python's reader of TOML as the judge: whatever is read here, it reads too, and with the same strings.
    @Test(.enabled(if: access("/usr/bin/python3", X_OK) == 0)) func `what is read means the same to another reader`()
        throws
    {
        let tomllib = try Invocation(program: "/usr/bin/python3", arguments: ["-c", "import tomllib"]).run()
        guard tomllib.code == 0 else { return }
        let patterns = [
            #""q""#, #"'q\n'"#, #""\u00e9\t\"\\""#, ##""#""##, "'# x' # y", #"["q", 'r',]"#, "[ # x\n 's'\n]",
            #""\U0001F600""#,
        ]
        let script =
            "import tomllib; print(*(lambda v: [v] if isinstance(v, str) else v)(tomllib.load(open('threadlab.toml', 'rb'))['check']['filter']), sep='\\n')"
        for pattern in patterns {
            let check = try check("[check]\r\nfilter = \(pattern)\n", "labs", "--list").exits(with: 2)
            let judge = try Invocation(program: "/usr/bin/python3", arguments: ["-c", script]).inDirectory(
                directory.path
            ).run()
            let names = judge.exits(with: 0).output.split(separator: "\n").map { "'\($0)'" }
            #expect(!names.isEmpty)
            for name in names where name.allSatisfy({ !$0.isWhitespace || $0 == " " }) {
                #expect(check.errors.contains(name))
            }
        }
    }

    @Test(arguments: [
        ("paths = [\"labs\", \"--junit=/tmp/x.xml\"]", "paths: '--junit=/tmp/x.xml' would be an option"),
        ("paths = [\"labs\", \"-q\"]", "paths: '-q' would be an option: write ./-q"),
        ("merge = true\npaths = [\"labs\"]", "'merge' counts only where it is typed: a file brings no results"),
        ("watch = true\npaths = [\"labs\"]", "'watch' counts only where it is typed: a script would never end"),
        ("list = true\npaths = [\"labs\"]", "'list' counts only where it is typed: a file checks something"),
    ]) func `a file gives no options as paths, and says not that nothing is checked`(
        text: String, complaint: String
    ) throws {
        try check("[check]\n" + text).exits(with: 2).printsNothing().complainsInOneLine(about: complaint)
    }
}
