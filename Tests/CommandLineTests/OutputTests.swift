import Glibc
import Support
import Testing

/// What is written stays where the user has said, whatever links others have put there; and what is shown comes from there.
@Suite struct OutputTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func threadlab(_ words: String..., in folder: String = ".") -> Invocation {
        Invocation(program: Programs.threadlab, arguments: words).wide.inDirectory(directory.file(folder))
    }

    private func write(_ name: String, _ text: String) throws { _ = try directory.write(name, Array(text.utf8)) }

    private func text(_ name: String) -> String? { Files.text(directory.file(name)) }

    /// A link with this name that leads to the target.
    private func link(_ name: String, to target: String) throws {
        try #require(symlink(target, directory.file(name)) == 0)
    }

    private func isLink(_ name: String) -> Bool {
        var status = stat()
        return lstat(directory.file(name), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static let failing = "scenario \"x\"\nshared a = 0\nthread t[2] { a += 1 }\nexpect completes\n"

    // MARK: - Links

    @Test(arguments: [["--html", "out"], ["--save", "out"]])
    func `a link in the folder of a check's files is replaced, and not followed`(option: [String]) throws {
        try write("x.lab", Self.failing)
        try write("mine", "mine")
        try directory.directory("out")
        for name in ["index.html", "x.html", "x.trace"] { try link("out/\(name)", to: "../mine") }
        try Invocation(program: Programs.threadlab, arguments: ["check", "x.lab", "--controlled"] + option)
            .inDirectory(directory.path).run().exits(with: 1)
        #expect(text("mine") == "mine")
        for name in option[0] == "--html" ? ["index.html", "x.html"] : ["x.trace"] {
            #expect(!isLink("out/\(name)") && text("out/\(name)")?.isEmpty == false, "\(name)")
        }
    }

    @Test func `a link in the folder of a search's traces is replaced, and not followed`() throws {
        try write("x.lab", Self.failing)
        try write("mine", "mine")
        try directory.directory("out")
        try link("out/x-race-1.trace", to: "../mine")
        try threadlab("explore", "x.lab", "--save", "out").run().exits(with: 1)
        #expect(text("mine") == "mine" && !isLink("out/x-race-1.trace"))
    }

    @Test func `a link in the folder of grades is replaced, and not followed`() throws {
        for folder in ["tasks", "anna", "out"] { try directory.directory(folder) }
        try write("mine", "mine")
        for folder in ["tasks", "anna"] { try write("\(folder)/x.lab", Self.failing) }
        for name in ["index.html", "anna-x.html"] { try link("out/\(name)", to: "../mine") }
        try threadlab("learn", "grade", "tasks", "anna", "--html", "out").run().exits(with: 0)
        #expect(text("mine") == "mine")
        for name in ["index.html", "anna-x.html"] { #expect(!isLink("out/\(name)"), "\(name)") }
    }

    /// Each of them is proved, and its proof would be written through the link.
    @Test func `a link in the folder of proofs is replaced, and not followed`() throws {
        try write("x.lab", "scenario \"x\"\natomic a = 0\nthread t[2] { a.add(1) }\nexpect completes\n")
        try write("mine", "mine")
        let check = threadlab("check", "x.lab", "--controlled", "--cache", "out")
        try check.run().succeeds()
        let proof = try #require(TemporaryDirectory.names(in: directory.file("out")).first)
        unlink(directory.file("out/\(proof)"))
        try link("out/\(proof)", to: "../mine")
        try check.run().succeeds()
        #expect(text("mine") == "mine" && !isLink("out/\(proof)"))
    }

    private static let unformatted = "scenario   \"x\"\n"
    private static let formatted = "scenario \"x\"\n"

    @Test(arguments: [("labs/x.lab", "../mine/x.lab"), ("labs/sub", "../mine")])
    func `a file that a folder only links to is not formatted in place`(name: String, target: String) throws {
        for folder in ["labs", "mine"] { try directory.directory(folder) }
        try write("mine/x.lab", Self.unformatted)
        try link(name, to: target)
        try threadlab("format", "--in-place", "labs").run().exits(with: 2).complainsInOneLine(
            about: ": a link leads there from 'labs', and out of it; name the file itself")
        #expect(text("mine/x.lab") == Self.unformatted)
        try threadlab("format", "--in-place", name.hasSuffix(".lab") ? name : name + "/x.lab").run().succeeds()
        #expect(text("mine/x.lab") == Self.formatted && isLink(name))
    }

    @Test func `a link within a folder leads to a file that is formatted in place`() throws {
        for folder in ["labs", "labs/sub"] { try directory.directory(folder) }
        try write("labs/sub/x.lab", Self.unformatted)
        try link("labs/a.lab", to: "sub/x.lab")
        try threadlab("format", "--in-place", "labs").run().succeeds()
        #expect(text("labs/sub/x.lab") == Self.formatted && isLink("labs/a.lab"))
    }

    private func learner() throws {
        try threadlab("new", "--course", "own").run().succeeds()
        try threadlab("learn", "init", "work", "--course", "own").run().succeeds()
    }

    @Test func `a learner's notes are not written through a link`() throws {
        try learner()
        let notes = try #require(text("work/.threadlab-learn"))
        try write("mine", notes)
        unlink(directory.file("work/.threadlab-learn"))
        try link("work/.threadlab-learn", to: "../mine")
        try threadlab("learn", "hint", in: "work").run().succeeds()
        #expect(text("mine") == notes && !isLink("work/.threadlab-learn"))
        #expect(text("work/.threadlab-learn")?.contains("\nhint ") == true)
    }

    @Test func `an exercise is not reset through a link`() throws {
        try learner()
        try directory.directory("mine")
        try write("mine/add-a-lock.lab", "mine")
        try #require(rename(directory.file("work/01-first-steps"), directory.file("gone")) == 0)
        try link("work/01-first-steps", to: "../mine")
        try threadlab("learn", "reset", "1.1", in: "work").run().exits(with: 2).complainsInOneLine(
            about: "a link leads there from '.', and out of it")
        #expect(TemporaryDirectory.names(in: directory.file("mine")) == ["add-a-lock.lab"])
        #expect(text("mine/add-a-lock.lab") == "mine")
    }

    /// The rooms of the command line.
    private static let rooms = [
        "Console", "RunCommands", "SearchCommands", "CheckCommands", "TeachCommands", "BuildCommands",
        "ThreadLabCommandLine",
    ]

    /// What opens a file for writing follows no link, or creates the file: only such calls are in the command line's sources.
    @Test func `every call that creates a file follows no link`() throws {
        let paths = Self.rooms.flatMap { Repository.paths(in: "Sources/\($0)", ending: ".swift") }
        #expect(paths.count > 100)
        for path in paths {
            for line in try #require(Repository.text(of: path)).split(separator: "\n") {
                let isSafe = !line.contains("O_CREAT") || line.contains("O_EXCL") || line.contains("O_NOFOLLOW")
                #expect(isSafe && !line.contains("O_TRUNC") && !line.contains("creat("), "\(path): \(line)")
                let opens = line.contains("fopen(") && !line.contains("\"re\"")
                #expect(!opens, "\(path): \(line)")
            }
        }
    }

    /// A slash and a combining mark are one `Character`, which is no slash (`PathText`).
    @Test(arguments: rooms + ["Course"]) func `no path is taken apart by characters`(room: String) throws {
        let paths = Repository.paths(in: "Sources/\(room)", ending: ".swift")
        #expect(paths.count > 5)
        let characters =
            /(hasPrefix|hasSuffix|contains|lastIndex\(of:|split\(separator:) ?\(?"\/"\)|hasPrefix\([^)]* \+ "\/"\)/
        for path in paths {
            for line in try #require(Repository.text(of: path)).split(separator: "\n") {
                #expect(!line.contains(characters), "\(path): \(line)")
            }
        }
    }

    // MARK: - Other programs

    /// A program of this name that notes its words, and prints its inputs.
    private func pretend(_ name: String) throws {
        if !directory.names.contains("bin") { try directory.directory("bin") }
        let text = "#!/bin/sh\necho \"$@\" >args\nfor word; do case $word in /dev/*) cat \"$word\";; esac; done\n"
        try Files.writeProgram(directory.file("bin/\(name)"), Array(text.utf8))
    }

    @Test func `no path of a file is an option of the program that draws it`() throws {
        try pretend("dot")
        let graph = threadlab("export", "--schedule", "0x2,2x2,1x3,2", "--as", "waits", "deadlock", "--", "-Tx.svg")
        try graph.with("PATH", "\(directory.file("bin")):/usr/bin:/bin").run().succeeds()
        #expect(text("args") == "-Tsvg /dev/fd/3\n")
        #expect(text("-Tx.svg")?.hasPrefix("digraph run {") == true)
        #expect(directory.names == ["-Tx.svg", "args", "bin"])
    }

    @Test func `a program that makes a file of several opens none of their names`() throws {
        try pretend("rsvg-convert")
        let handout = threadlab("export", "--as", "handout", "lost-update", "--", "--output.pdf")
        try handout.with("PATH", "\(directory.file("bin")):/usr/bin:/bin").run().exits(with: 0)
        #expect(text("args") == "--format pdf /dev/fd/3 /dev/fd/4\n")
        #expect(text("--output.pdf")?.ranges(of: "<svg").count == 2)
        #expect(directory.names == ["--output.pdf", "args", "bin"])
    }

    // MARK: - Sources

    private static let start = """
        {"threadlab":2,"scenario":"SCENARIO","parameters":{},"runtime":"native"}
        {"thread":0,"name":"main"}

        """

    private func trace(_ scenario: String, _ places: [String]) -> String {
        let events = places.enumerated().map {
            #"{"n":\#($0.offset + 1),"t":\#($0.offset),"thread":0,"kind":"note","text":"a","at":"\#($0.element):1"}"#
                + "\n"
        }
        return Self.start.replacing("SCENARIO", with: scenario) + events.joined()
    }

    @Test func `a saved trace shows only sources below the working directory`() throws {
        try directory.directory("in")
        try write("secret.c", "elsewhere_x();\n")
        try write("in/own.c", "here_x();\n")
        try link("in/link.c", to: "../secret.c")
        let places = [
            directory.file("secret.c"), "../secret.c", "link.c", "./link.c", "own.c", directory.file("in/own.c"),
        ]
        try write("in/x.trace", trace("unknown", places))
        for (name, kind) in [("x.svg", "lanes"), ("x.pftrace", "perfetto"), ("y.html", "run")] {
            try threadlab("export", "./x.trace", name, "--as", kind, "--code", in: "in").run().succeeds()
        }
        let words = ["--code", "--html", "x.html"]
        for format in ["text", "lanes", "json"] {
            let ended = try Invocation(
                program: Programs.threadlab, arguments: ["trace", "x.trace", "--format", format] + words
            ).wide.inDirectory(directory.file("in")).run().succeeds().doesNotPrint("elsewhere_x()")
            if format != "json" { ended.prints("here_x()") }
            for file in ["x.html", "y.html", "x.svg", "x.pftrace"] {
                let bytes = try #require(Files.read(directory.file("in/\(file)")))
                #expect(bytes.firstRange(of: Array("elsewhere_x()".utf8)) == nil, "\(file)")
                if file != "x.pftrace" { #expect(bytes.firstRange(of: Array("here_x()".utf8)) != nil, "\(file)") }
            }
        }
    }

    @Test func `a saved trace shows no program from elsewhere that it only names`() throws {
        try directory.directory("in")
        try write("secret.lab", "scenario \"elsewhere_x\"\nnote \"elsewhere_x\"\n")
        try write("in/own.lab", "scenario \"here_x\"\nnote \"here_x\"\n")
        for (name, isShown) in [(directory.file("secret.lab"), false), ("../secret.lab", false), ("own.lab", true)] {
            try write("in/x.trace", trace(name, ["\(name)"]))
            try threadlab("trace", "x.trace", "--code", "--html", "x.html", in: "in").run().succeeds()
                .doesNotPrint("elsewhere_x\"")
            let page = try #require(text("in/x.html"))
            #expect(page.contains("here_x") == isShown && !page.contains("note \\\"elsewhere_x"), "\(name)")
        }
    }
}
