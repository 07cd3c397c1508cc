import Glibc
import Testing

/// `threadlab new`
@Suite struct NewProgramTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func new(_ name: String) -> Invocation { threadlab("new", "--", name).inDirectory(directory.path) }

    @Test(arguments: ["lost-update", "lost-update.lab", "./lost-update"])
    func `a new file is there, runs, and is in canonical form`(name: String) throws {
        let new = try new(name).run().succeeds().prints("lost-update.lab has been created.")
        #expect(directory.names == ["lost-update.lab"])
        let file = directory.file("lost-update.lab")
        #expect(Files.text(file)?.contains("scenario \"lost update\"\n") == true)
        try threadlab("format", "--check", file).run().succeeds()
        let commands = new.lines.filter { $0.hasPrefix("  threadlab ") }
        #expect(commands.count == 4)
        for command in commands {
            let words = command.split(separator: " ").dropFirst().map(String.init)
            try Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path).run().succeeds()
        }
    }

    @Test(arguments: ["with spaces", "it's", "ünï", "deadlock", "x.y", "a;b", "$(b)"])
    func `any name that can be shown will do`(name: String) throws {
        try new(name).run().succeeds().isSafeToShow()
        try threadlab("run", "\(name).lab").inDirectory(directory.path).run().succeeds().prints("'\(name)' completes")
    }

    @Test(arguments: [
        "a\"b", "a\nb", "a\\b", "\u{1B}[31m", "\u{202E}b", ".", "..", ".lab", ".x", "-x", "a/", "a\u{7}/b",
    ])
    func `a name that no file should have is refused`(name: String) throws {
        try new(name).run().exits(with: 2).printsNothing().complainsInOneLine(about: "must be a file name")
        #expect(directory.names.isEmpty)
    }

    @Test func `without a name nothing is written`() throws {
        try new("").run().exits(with: 2).complains("NAME '': must be a path")
        #expect(directory.names.isEmpty)
    }

    @Test func `what is there already is left alone`() throws {
        let file = try directory.write("x.lab", Array("mine".utf8))
        #expect(symlink("nowhere", directory.file("link.lab")) == 0)
        for name in ["x", "link"] {
            try new(name).run().exits(with: 2).printsNothing()
                .complains("\(name).lab already exists: choose another name")
        }
        #expect(Files.text(file) == "mine" && directory.names == ["link.lab", "x.lab"])
    }

    @Test func `a file that cannot be created is reported`() throws {
        try new("none/x").run().exits(with: 2).printsNothing()
            .complains("cannot create none/x.lab: there is no folder 'none'; create it first")
        #expect(chmod(directory.path, 0o555) == 0)
        try new("x").obeyingModes().run().exits(with: 2).printsNothing()
            .complains("cannot create x.lab: Permission denied")
        #expect(directory.names.isEmpty)
    }

    // MARK: - Packages. `make test-packages` builds one.

    private func newPackage(_ words: String...) -> Invocation {
        Invocation(program: Programs.threadlab, arguments: ["new", "--swift"] + words).inDirectory(directory.path)
    }

    @Test func `a new package has a manifest, a program, a scenario, tests, a workflow and a page`() throws {
        try newPackage("ticket-sale", "--checkout", "../lab").run().succeeds()
            .prints("ticket-sale/ has been created. Its manifest looks for threadlab in ../lab.")
        for file in [
            "Package.swift", "Sources/ticket-sale/main.swift", "Sources/TicketSaleScenarios/TicketSale.swift",
            "Tests/TicketSaleTests/TicketSaleTests.swift", ".github/workflows/test.yml", "README.md", ".gitignore",
        ] { #expect(Files.text(directory.file("ticket-sale/" + file)) != nil) }
        #expect(directory.names == ["ticket-sale"])
    }

    @Test(arguments: ["Ticket", "a_b", "-a", "a-", "1a", "a.lab", "ä", "a b"])
    func `a name that no package can have is refused`(name: String) throws {
        try newPackage("--", name).run().exits(with: 2).printsNothing().complainsInOneLine(about: "lowercase words")
        #expect(directory.names.isEmpty)
    }

    @Test func `a package takes no name from threadlab, and no folder that exists`() throws {
        try newPackage("deadlock").run().exits(with: 2)
            .complainsInOneLine(about: "a scenario of threadlab has this name")
        #expect(mkdir(directory.file("mine"), 0o755) == 0)
        try newPackage("mine").run().exits(with: 2).complains("mine already exists: choose another name")
        #expect(directory.names == ["mine"])
    }

    @Test func `options that do not belong together are refused`() throws {
        try newPackage("a", "--from", "lost-update").run().exits(with: 2)
            .complainsInOneLine(about: "--from copies .lab programs")
        try threadlab("new", "a", "--checkout", "x").inDirectory(directory.path).run().exits(with: 2)
            .complains("--checkout is for packages: add --swift")
        try newPackage("a", "--checkout", "x\"y").run().exits(with: 2)
            .complainsInOneLine(about: "must be the path of a folder")
        #expect(directory.names.isEmpty)
    }

    @Test func `of a package that cannot be written nothing is left`() throws {
        try newPackage("none/a").run().exits(with: 2).complainsInOneLine(about: "cannot create the folder none/a")
        #expect(chmod(directory.path, 0o555) == 0)
        try newPackage("a").obeyingModes().run().exits(with: 2).complainsInOneLine(about: "Permission denied")
        #expect(directory.names.isEmpty)
    }

    @Test func `a full disk is reported`() throws {
        try new("x").writing(to: .file("/dev/full")).run().exits(with: 2)
            .complains("cannot write: No space left on device; make room there, or name a place on another disk")
    }
}
