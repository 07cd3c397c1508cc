import Glibc
import Testing

/// Findings go to standard output, complaints to standard error; and what happens when neither takes them.
@Suite struct StreamTests {
    @Test func `the exit code says whether the outcome was expected`() throws {
        try threadlab("run", "deadlock", "--seed", "1").run().exits(with: 0).isSilent().prints("As expected: ")
        try plugin("run", "trouble", "--variant", "misuse").run().exits(with: 1).isSilent().prints("Not as expected: ")
    }

    @Test func `a reader that has gone away ends the program by a signal`() throws {
        for words in [["show"], ["run", "deadlock"], ["run", "deadlock", "--seed", "1", "--format", "json"]] {
            try Invocation(program: Programs.threadlab, arguments: words).writing(to: .nowhere).run()
                .dies(of: SIGPIPE).isSilent()
        }
    }

    @Test func `a full disk is reported`() throws {
        for words in [
            [], ["show"], ["--version"], ["show", "deadlock"], ["run", "deadlock"], ["--completion", "bash"],
        ] {
            try Invocation(program: Programs.threadlab, arguments: words).writing(to: .file("/dev/full")).run()
                .exits(with: 2).complains(
                    "cannot write: No space left on device; make room there, or name a place on another disk")
        }
    }

    @Test func `a trace that cannot be saved is reported, and nothing is left`() throws {
        let directory = try TemporaryDirectory()
        let nowhere = directory.file("none/x.trace")
        try threadlab("run", "deadlock", "--save", nowhere).run().exits(with: 2).printsNothing()
            .complains(
                "cannot save the trace in '\(nowhere)': there is no folder '\(directory.file("none"))'; create it first"
            )
        #expect(directory.names.isEmpty)
    }

    @Test func `only a file is written over by a trace`() throws {
        let directory = try TemporaryDirectory()
        for (path, reason) in [
            (directory.path, "it is a directory"),
            ("/dev/null", "it is not a regular file; '--format json' prints the same"),
        ] {
            try threadlab("run", "deadlock", "--save", path).run().exits(with: 2).printsNothing()
                .complains("cannot save the trace in '\(path)': \(reason)")
        }
        #expect(directory.names.isEmpty)
    }

    @Test func `a link to a file stays a link`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("file", [])
        #expect(symlink(file, directory.file("link")) == 0)
        try threadlab("run", "deadlock", "--seed", "1", "--save", directory.file("link")).run().succeeds()
        var status = stat()
        #expect(lstat(directory.file("link"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(Files.text(file)?.hasPrefix("{\"threadlab\"") == true)
        #expect(directory.names == ["file", "link"])
    }

    @Test(arguments: ["a\nb\u{1B}[31m", "with spaces", "-odd", "ünï"]) func `any name will do for a trace`(name: String)
        throws
    {
        let directory = try TemporaryDirectory()
        let run = try threadlab("run", "deadlock", "--seed", "1", "--save=\(name)").inDirectory(directory.path).run()
        #expect(directory.names == [name])
        let trace = try threadlab("trace", "--", name).inDirectory(directory.path).run().succeeds()
        #expect(trace.output == run.succeeds().output)
        try Files.write(directory.file(name), Array("{".utf8))
        try threadlab("trace", "--", name).inDirectory(directory.path).run().exits(with: 2).complainsInOneLine(
            about: ":")
    }

    @Test func `nothing is left in the directory for scratch files`() throws {
        let directory = try TemporaryDirectory()
        for variant in ["detached", "joinable"] {
            try threadlab("run", "shutdown", "--variant", variant).with("TMPDIR", directory.path).run().succeeds()
        }
        try plugin("run", "trouble", "--variant", "crash").with("TMPDIR", directory.path).run().exits(with: 1)
        #expect(directory.names.isEmpty)
    }

    @Test func `without a directory for scratch files nothing is run`() throws {
        try threadlab("run", "deadlock").with("TMPDIR", "/nowhere").run().exits(with: 2).printsNothing()
            .complains("cannot create a scratch directory in /nowhere: No such file or directory")
    }
}
