import FoundationEssentials
import Glibc
import Testing

/// Files for other viewers. What is in them is tested in ReportsTests/Exports.
@Suite struct ExportTests {
    static let options = ["--perfetto", "--shiviz", "--svg", "--film"]

    @Test(arguments: options) func `a run writes it, and so do the commands that have a trace`(option: String) throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let (first, again) = (directory.file("first"), directory.file("again"))
        let saved = directory.file("saved.trace")
        try threadlab("run", "lost-update", "--seed", "3", option, first, "--trace", saved, "--format", "none").run()
        let bytes = try #require(Files.read(first))
        #expect(bytes.count > 500)
        try threadlab("trace", saved, option, again, "--format", "none").run().succeeds()
        #expect(Files.read(again) == bytes)
        try threadlab("replay", saved, option, again, "--format", "none").run()
        #expect(Files.read(again)?.isEmpty == false)
        try threadlab("explore", "lost-update", option, again).run()
        #expect(Files.read(again) != bytes)
        try threadlab("run", "lost-update", "--seed", "1", "--repeat", "5", option, again).run()
        #expect(Files.read(again)?.isEmpty == false)
        #expect(directory.names == ["again", "first", "saved.trace"])
    }

    @Test(arguments: options) func `where it cannot be written, nothing is run`(option: String) throws {
        try threadlab("run", "deadlock", option, "/nowhere/at-all").run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "cannot save")
        try threadlab("run", "deadlock", option, "/tmp").run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "it is a directory")
        try threadlab("run", "deadlock", option).run().exits(with: 2).printsNothing()
    }

    @Test func `two options cannot name one file`() throws {
        try threadlab("run", "deadlock", "--svg", "/tmp/same", "--shiviz", "/tmp/same").run().exits(with: 2)
            .printsNothing().complainsInOneLine(about: "name the same file")
    }

    @Test func `a search that finds nothing says that there is nothing to write`() throws {
        let directory = try TemporaryDirectory()
        try threadlab("explore", "deadlock", "--variant", "ordered", "--svg", directory.file("x.svg")).run()
            .exits(with: 0).complainsInOneLine(about: "nothing was found, so nothing is written to")
        #expect(directory.names.isEmpty)
    }

    @Test(.enabled(if: access("/usr/bin/xmllint", X_OK) == 0, "xmllint is not installed"))
    func `another parser reads the drawing`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.svg")
        for scenario in ["deadlock", "producer-consumer", "barrier-between-rounds"] {
            try threadlab("run", scenario, "--seed", "2", "--svg", file, "--format", "none").run()
            try Invocation(program: "/usr/bin/xmllint", arguments: ["--noout", file]).run().succeeds()
        }
    }

    @Test func `a device is left alone`() throws {
        try threadlab("run", "deadlock", "--svg", "/dev/full").run().exits(with: 2)
            .complainsInOneLine(about: "it is not a regular file")
    }
}
