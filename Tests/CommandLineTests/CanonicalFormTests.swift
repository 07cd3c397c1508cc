import Glibc
import Testing

/// `threadlab format`
@Suite struct CanonicalFormTests {
    private static let crooked = "scenario \"x\"\nmutex  m ;\nthread t {lock m {}}\n"
    private static let straight = "scenario \"x\"\nmutex m\nthread t { lock m { } }\n"
    private static let wrong = "scenario \"x\"\nmutex\n"

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ name: String, _ text: String) throws -> String { try directory.write(name, Array(text.utf8)) }

    @Test func `files are printed in canonical form, one after the other`() throws {
        let (one, other) = (try write("a.lab", Self.crooked), try write("b.lab", Self.straight))
        let print = try threadlab("format", one, other).run().succeeds()
        #expect(print.output == Self.straight + Self.straight)
        #expect(Files.text(one) == Self.crooked)
    }

    @Test func `standard input is a file like others`() throws {
        let file = try write("a.lab", Self.crooked)
        #expect(try threadlab("format", "-").reading(from: file).run().succeeds().output == Self.straight)
        let check = try threadlab("format", "--check", "-").reading(from: file).run().exits(with: 1)
        #expect(check.output == "<stdin>:2: not in canonical form\n- mutex  m ;\n+ mutex m\n")
    }

    @Test func `--check names the files that differ, with their first different line`() throws {
        let (one, other) = (try write("a.lab", Self.crooked), try write("b.lab", Self.straight))
        let check = try threadlab("format", "--check", one, other).run().exits(with: 1).isSilent()
        #expect(check.output == "\(one):2: not in canonical form\n- mutex  m ;\n+ mutex m\n")
        try threadlab("format", "--check", other).run().succeeds().printsNothing()
    }

    @Test func `what a terminal would act on is shown by --check, not printed`() throws {
        let file = try write("a.lab", "scenario \"x\"\r\nmutex m\n")
        try threadlab("format", "--check", file).run().exits(with: 1).isSafeToShow().prints(
            "- scenario \"x\"\\u{D}\n+ ")
    }

    @Test func `--in-place writes over a file and keeps its mode`() throws {
        let file = try write("a.lab", Self.crooked)
        #expect(chmod(file, 0o640) == 0)
        try threadlab("format", "--in-place", file).run().succeeds().printsNothing()
        #expect(Files.text(file) == Self.straight)
        #expect(try status(file).st_mode & 0o7777 == 0o640)
        #expect(directory.names == ["a.lab"])
    }

    @Test func `--in-place leaves a file alone that is in canonical form`() throws {
        let file = try write("a.lab", Self.straight)
        let before = try status(file)
        try threadlab("format", "--in-place", file).run().succeeds()
        let after = try status(file)
        #expect(before.st_ino == after.st_ino && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
    }

    @Test func `--in-place writes the file that a link leads to`() throws {
        let file = try write("a.lab", Self.crooked)
        #expect(symlink("a.lab", directory.file("link.lab")) == 0)
        try threadlab("format", "--in-place", directory.file("link.lab")).run().succeeds()
        #expect(Files.text(file) == Self.straight)
        #expect(directory.names == ["a.lab", "link.lab"])
    }

    @Test func `a file that may not be written stays as it is, and the others are done`() throws {
        let (one, other) = (try write("a.lab", Self.crooked), try write("b.lab", Self.crooked))
        #expect(chmod(one, 0o444) == 0)
        try threadlab("format", "--in-place", one, other).obeyingModes().run().exits(with: 2)
            .complains("cannot write \(one): Permission denied")
        #expect(Files.text(one) == Self.crooked && Files.text(other) == Self.straight)
    }

    @Test func `in a folder that may not be written nothing changes`() throws {
        let file = try write("a.lab", Self.crooked)
        #expect(chmod(directory.path, 0o555) == 0)
        try threadlab("format", "--in-place", file).obeyingModes().run().exits(with: 2)
            .complains("cannot write \(file): Permission denied")
        #expect(chmod(directory.path, 0o755) == 0)
        #expect(Files.text(file) == Self.crooked && directory.names == ["a.lab"])
    }

    @Test func `of a folder every .lab file is taken, in it and below`() throws {
        for folder in ["b", "a", ".hidden", "x.lab"] { #expect(mkdir(directory.file(folder), 0o755) == 0) }
        for file in ["z.lab", "b/y.lab", "a/x.lab", ".hidden/w.lab", "x.lab/v.lab", "a/notes.txt"] {
            _ = try write(file, Self.crooked)
        }
        #expect(symlink(directory.path, directory.file("b/round")) == 0)
        let check = try threadlab("format", "--check", ".").inDirectory(directory.path).run().exits(with: 1).isSilent()
        let names = check.lines.filter { $0.hasPrefix("./") }.map { $0.prefix { $0 != ":" } }
        #expect(names == ["./a/x.lab", "./b/y.lab", "./x.lab/v.lab", "./z.lab"])
        try threadlab("format", "--in-place", directory.path).run().succeeds()
        #expect(Files.text(directory.file("b/y.lab")) == Self.straight)
        #expect(Files.text(directory.file("a/notes.txt")) == Self.crooked)
    }

    @Test func `a folder without such a file is reported`() throws {
        try threadlab("format", directory.path).run().exits(with: 2).printsNothing()
            .complains("no .lab file in '\(directory.path)'")
    }

    @Test func `a folder that cannot be read is reported, and the others are formatted`() throws {
        for folder in ["a", "b"] { #expect(mkdir(directory.file(folder), 0o755) == 0) }
        _ = try write("b/y.lab", Self.crooked)
        #expect(chmod(directory.file("a"), 0o300) == 0)
        let ended = try threadlab("format", ".").inDirectory(directory.path).obeyingModes().run().exits(with: 2)
            .complains("cannot read ./a: Permission denied")
        #expect(ended.output == Self.straight)
        #expect(chmod(directory.file("a"), 0o755) == 0)
    }

    @Test func `a pipe is not a regular file, and is not waited for`() throws {
        #expect(mkfifo(directory.file("a.lab"), 0o600) == 0)
        try threadlab("format", directory.path).run().exits(with: 2)
            .complains("\(directory.file("a.lab")) is not a regular file")
    }

    @Test func `what is wrong with a file is shown at its place, and the others are done`() throws {
        let (one, other) = (try write("a.lab", Self.wrong), try write("b.lab", Self.crooked))
        for options in [[], ["--check"], ["--in-place"]] {
            let ended = try Invocation(program: Programs.threadlab, arguments: ["format"] + options + [one, other])
                .run().exits(with: 2)
            #expect(ended.errors.hasPrefix("\(one):2:6: error: "))
        }
        #expect(Files.text(one) == Self.wrong && Files.text(other) == Self.straight)
    }

    @Test func `a file that is too large is refused`() throws {
        let file = try directory.write("a.lab", [UInt8](repeating: UInt8(ascii: "/"), count: 2 << 20))
        let ended = try threadlab("format", file).run().exits(with: 2).printsNothing()
        #expect(ended.errors.hasPrefix("\(file): error: "))
    }

    @Test func `a full disk is reported once`() throws {
        let (file, other) = (try write("a.lab", Self.crooked), try write("b.lab", Self.crooked))
        for options in [[], ["--check"]] {
            try Invocation(program: Programs.threadlab, arguments: ["format"] + options + [file, other])
                .writing(to: .file("/dev/full")).run().exits(with: 2)
                .complains("cannot write: No space left on device; make room there, or name a place on another disk")
        }
    }

    private func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status
    }
}
