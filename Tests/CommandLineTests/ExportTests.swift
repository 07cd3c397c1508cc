import FoundationEssentials
import Glibc
import Support
import Testing

/// Files for other viewers. What is in them is tested in ReportsTests/Exports.
@Suite struct ExportTests {
    static let kinds = ["perfetto", "shiviz", "lanes", "film", "run"]
    private static let endings = [
        "perfetto": ".pftrace", "shiviz": ".log", "lanes": ".svg", "film": ".svg", "run": ".html",
    ]

    @Test(arguments: kinds) func `a run is written, and a saved run is the same`(kind: String) throws {
        let directory = try TemporaryDirectory()
        let ending = try #require(Self.endings[kind])
        let (first, again) = (directory.file("first" + ending), directory.file("again" + ending))
        let saved = directory.file("saved.trace")
        try threadlab("run", "lost-update", "--seed", "3", "--save", saved, "--format", "none").run()
        try threadlab("export", "lost-update", first, "--seed", "3", "--as", kind).run().succeeds()
            .prints("\(first): the run of seed 3 of lost-update, ")
        let bytes = try #require(Files.read(first))
        #expect(bytes.count > 500)
        try threadlab("export", saved, again, "--as", kind).run().succeeds().prints("\(again): the run of seed 3")
        #expect(Files.read(again) == bytes)
        let failure = ["export", "lost-update", again, "--schedule", "1x3,0,2x3,0x4", "--as", kind]
        try Invocation(program: Programs.threadlab, arguments: failure).run().succeeds()
        #expect(Files.read(again) != bytes)
        #expect(directory.names == ["again" + ending, "first" + ending, "saved.trace"].sorted())
    }

    @Test(arguments: [
        ("x.html", "<!doctype html>"), ("x.svg", "<svg"), ("x.dot", "digraph"), ("x.gv", "digraph"),
        ("x.log", "main "),
    ]) func `the end of the file's name says what is written`(name: String, start: String) throws {
        let directory = try TemporaryDirectory()
        try threadlab("export", "deadlock", directory.file(name), "--seed", "1").run().succeeds()
        let text = try #require(Files.text(directory.file(name)))
        #expect(text.prefix(200).lowercased().contains(start), "\(text.prefix(200))")
    }

    @Test(arguments: kinds) func `where it cannot be written, nothing is run`(kind: String) throws {
        let directory = try TemporaryDirectory()
        let ending = try #require(Self.endings[kind])
        try directory.directory("x" + ending)
        let name = directory.file("x" + ending)
        try threadlab("export", "deadlock", "/nowhere/x" + ending, "--as", kind).run()
            .exits(with: 2).printsNothing().complainsInOneLine(about: "cannot save")
        try threadlab("export", "deadlock", name, "--as", kind).run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "it is a directory")
        try threadlab("export", "deadlock", "--as", kind).run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "name the file to write")
        try threadlab("export", "deadlock", directory.file("x.c"), "--as", kind).run().exits(with: 2)
            .complainsInOneLine(about: "should end in")
    }

    @Test func `what is exported is not written over, and nothing that was not named`() throws {
        let directory = try TemporaryDirectory()
        let (trace, sheet) = (directory.file("x.log"), directory.file("s.svg"))
        try threadlab("run", "deadlock", "--seed", "1", "--save", trace, "--format", "none").run().succeeds()
        let bytes = Files.read(trace)
        try threadlab("export", trace, trace).run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "is what is exported: choose another name")
        #expect(Files.read(trace) == bytes)
        #expect(symlink("x.log", directory.file("s-solution.svg")) == 0)
        try threadlab("export", "lost-update", sheet, "--as", "handout").run().succeeds()
        #expect(Files.read(trace) == bytes && Files.text(directory.file("s-solution.svg"))?.contains("<svg") == true)
    }

    @Test func `standard input is a trace or a program`() throws {
        let directory = try TemporaryDirectory()
        let trace = try threadlab("run", "deadlock", "--seed", "1", "--format", "json").run().output
        let program = try #require(Repository.text(of: "scenarios/basics/lost-update.lab"))
        for text in [trace, program] {
            let input = try directory.write("input", Array(text.utf8))
            let drawing = directory.file("x.svg")
            try threadlab("export", "-", drawing).reading(from: input).run().succeeds()
            #expect(Files.text(drawing)?.contains("<svg") == true)
        }
    }

    @Test func `an option that cannot count is refused`() throws {
        try threadlab("export", "lost-update", "x.html", "--as", "page", "--seed", "3").run().exits(with: 2)
            .complainsInOneLine(about: "--as run writes a page of one run")
        try threadlab("export", "lost-update", "x.svg", "--title", "A").run().exits(with: 2)
            .complainsInOneLine(about: "--title is for handouts")
        try threadlab("export", "lost-update", "-").run().exits(with: 2).complainsInOneLine(
            about: "is not a file to write")
    }

    @Test func `a name that says nothing is answered with those that do`() throws {
        try threadlab("export", "deadlock", "x.txt").run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "does not end in .html, .dot, .gv, .svg, .pdf, .pftrace or .log")
    }

    @Test(.enabled(if: access("/usr/bin/xmllint", X_OK) == 0, "xmllint is not installed"))
    func `another parser reads the drawing`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.svg")
        for scenario in ["deadlock", "producer-consumer", "barrier-between-rounds"] {
            try threadlab("export", scenario, file, "--seed", "2").run().succeeds()
            try Invocation(program: "/usr/bin/xmllint", arguments: ["--noout", file]).run().succeeds()
        }
    }

    @Test func `a device is left alone`() throws {
        let directory = try TemporaryDirectory()
        let name = directory.file("x.svg")
        #expect(symlink("/dev/full", name) == 0)
        try threadlab("export", "deadlock", name).run().exits(with: 2)
            .complainsInOneLine(about: "it is not a regular file")
    }
}
