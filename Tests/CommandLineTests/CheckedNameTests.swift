import Glibc
import Testing

/// A file has one name in everything that a check writes, however its path is spelled and wherever the check is typed.
@Suite struct CheckedNameTests {
    /// A repository with a broken program and a good one in `labs`, and a link to it.
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for folder in ["repository", "repository/.git", "repository/labs", "repository/labs/sub", "repository/other"] {
            try directory.directory(folder)
        }
        let mixed = try CheckTests.mixed()
        for (from, to) in [("bad.lab", "labs/sub/bad.lab"), ("good.lab", "labs/good.lab"), ("good.lab", "other/x.lab")]
        {
            _ = try directory.write("repository/\(to)", try #require(Files.read(mixed.file(from))))
        }
        #expect(symlink("repository", directory.file("link")) == 0)
    }

    private func check(_ path: String, in folder: String, _ options: String...) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: ["check", path, "--controlled"] + options)
            .inDirectory(directory.file(folder)).run()
    }

    /// The same folder: what is typed, and where.
    private var spellings: [(path: String, folder: String)] {
        [
            ("labs", "repository"), ("./labs/", "repository"), ("labs//.", "repository"), (".", "repository/labs"),
            ("../labs", "repository/other"), ("..", "repository/labs/sub"), (directory.file("repository/labs"), "."),
            ("link/labs", "."), (".", "link/labs"),
        ]
    }

    @Test func `every spelling gives the same names, reports, traces and pages`() throws {
        var seen: Set<[String]> = []
        for (number, spelling) in spellings.enumerated() {
            let names = ["report.xml", "known", "traces", "pages"].map { directory.file("\(number)-\($0)") }
            let check = try check(
                spelling.path, in: spelling.folder, "--junit", names[0], "--save", names[2], "--html", names[3],
                "--github", "--jobs", "1"
            ).exits(with: 1)
            try self.check(spelling.path, in: spelling.folder, "--write-baseline", names[1]).succeeds()
            #expect(TemporaryDirectory.names(in: names[2]) == ["labs-sub-bad.trace"])
            // Commands to paste have the path as it was typed, and durations differ.
            func comparable(_ text: String?) -> String {
                (text ?? "").split(separator: "\n").filter {
                    !$0.contains("threadlab replay") && !$0.contains(names[2])
                }
                .joined(separator: "\n").replacing(#/[0-9]+\.[0-9]+/#, with: "TIME")
            }
            let annotations = check.lines.filter { $0.hasPrefix("::error ") }.map { $0.prefix { $0 != "%" } }
            seen.insert(
                [
                    comparable(Files.text(names[0])), Files.text(names[1]) ?? "", annotations.joined(),
                    Files.text(names[2] + "/labs-sub-bad.trace") ?? "",
                    comparable(Files.text(names[3] + "/labs-sub-bad.html")),
                    check.lines.prefix(2).map { $0.drop { $0 != "l" }.prefix { $0 != ";" } }.joined(),
                ])
        }
        #expect(seen.count == 1)
        let one = try #require(seen.first)
        #expect(one[0].contains(#"<testcase classname="labs/sub" name="bad.lab""#))
        #expect(one[1].hasSuffix("\nlabs/sub/bad.lab: deadlock\n"))
        #expect(one[2].hasPrefix("::error file=labs/sub/bad.lab,line=4,title=labs/sub/bad.lab::"))
        #expect(one[3].hasPrefix(#"{"threadlab":2,"scenario":"labs/sub/bad.lab","#) && one[4].contains("lock b"))
    }

    @Test func `every spelling uses the same proofs and baseline`() throws {
        let (proofs, known) = (directory.file("proofs"), directory.file("known"))
        for (number, spelling) in spellings.enumerated() {
            let words = ["--cache", proofs, number == 0 ? "--write-baseline" : "--baseline", known]
            let check = try Invocation(
                program: Programs.threadlab, arguments: ["check", spelling.path, "--controlled"] + words
            ).inDirectory(directory.file(spelling.folder)).run().succeeds().prints("1 passed, 1 known failure")
            #expect(check.output.contains("(remembered)") == (number > 0))
        }
    }

    @Test func `a name that a check prints is a path in every folder of the repository`() throws {
        let names = try check(".", in: "repository/labs", "--list").succeeds().lines
        #expect(names == ["labs/good.lab", "labs/sub/bad.lab"])
        for folder in ["repository", "repository/labs", "repository/other"] {
            try check("labs/sub/bad.lab", in: folder).exits(with: 1).prints("FAIL labs/sub/bad.lab\n")
        }
        try check("labs/none.lab", in: "repository/other").exits(with: 2).prints("no such file or folder")
    }

    @Test func `a list of before is still read, with a note on how to renew it`() throws {
        let old = try directory.write("repository/labs/known.txt", Array("sub/bad.lab: deadlock\n".utf8))
        let note = "has 1 name from another folder than the repository's root; they still count, and --write-baseline"
        for (path, folder) in spellings {
            try check(path, in: folder, "--baseline", old).exits(with: 0).prints("1 known failure")
                .complainsInOneLine(about: note)
        }
        try check("labs", in: "repository", "--write-baseline", old).succeeds()
        try check(".", in: "repository/labs", "--baseline", "known.txt").succeeds().prints("1 known failure")
    }

    @Test func `a list is judged only by what the check is about`() throws {
        let known = try directory.write(
            "repository/known", Array("labs/sub/bad.lab: deadlock\nother/gone.lab\ndeadlock/ring\n".utf8))
        try check("labs", in: "repository", "--baseline", known).succeeds()
        try check("labs/good.lab", in: "repository", "--baseline", known).succeeds()
        try check("other", in: "repository", "--baseline", known).exits(with: 1)
            .prints("other/gone.lab").prints("1 passed, 1 failed")
        try check("deadlock", in: "repository", "--baseline", known, "--filter", "deadlock/ring").exits(with: 1)
            .prints("deadlock/ring").prints("listed in \(known), but passes: remove it there")
    }

    @Test func `what is named twice is checked once`() throws {
        try threadlab("check", "deadlock/ring", "deadlock", "--filter", "*/ring", "--controlled").run().succeeds()
            .prints("\n1 passed (")
    }

    @Test func `links in a folder keep their names, wherever they lead`() throws {
        try directory.directory("runfiles")
        #expect(symlink("../repository/other/x.lab", directory.file("runfiles/y.lab")) == 0)
        #expect(try check("runfiles", in: ".", "--list").succeeds().output == "runfiles/y.lab\n")
        for path in ["../../runfiles", directory.file("runfiles")] {
            #expect(try check(path, in: "repository/other", "--list").succeeds().output == "y.lab\n")
        }
    }
}
