import Glibc
import Testing

/// The reports of a check do not depend on each other.
@Suite struct CheckStreamTests {
    @Test func `JUnit's file is written whatever becomes of standard output`() throws {
        let directory = try CheckTests.mixed()
        for form in [[], ["--tap"], ["--format", "json"]] {
            let words = ["check", ".", "--controlled", "--junit", "report.xml"] + form
            let check = Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path)
            func isReported() -> Bool {
                defer { unlink(directory.file("report.xml")) }
                return Files.text(directory.file("report.xml"))?.hasSuffix("</testsuites>\n") == true
            }
            try check.writing(to: .nowhere).run().dies(of: SIGPIPE).isSilent()
            #expect(isReported())
            try check.writing(to: .file("/dev/full")).run().exits(with: 2)
                .complains("cannot write: No space left on device; make room there, or name a place on another disk")
            #expect(isReported())
            try check.writing(to: .closed).run().exits(with: 2).complains("cannot write: Bad file descriptor")
            #expect(isReported())
        }
    }

    @Test func `a trace that cannot be saved ends the check, and the reports say how far it came`() throws {
        let directory = try CheckTests.mixed()
        try directory.directory("traces")
        try directory.directory("traces/bad.trace")
        let check = try threadlab("check", ".", "--controlled", "--jobs", "1", "--save", "traces", "--junit", "r.xml")
            .inDirectory(directory.path).run().exits(with: 2)
            .complains("cannot save the trace in 'traces/bad.trace': it is a directory")
        check.prints("\ninterrupted: 0 passed, 1 failed, 1 wrong file, 1 not run (")
        #expect(Files.text(directory.file("r.xml"))?.contains("<skipped message=\"not run\"/>") == true)
    }

    @Test func `without another report, a check that cannot be read ends at once`() throws {
        let directory = try CheckTests.mixed()
        try threadlab("check", directory.path).writing(to: .closed).run().exits(with: 2)
            .complains("cannot write: Bad file descriptor")
    }

    @Test func `JUnit's report does not share standard output`() throws {
        try threadlab("check", "--builtin", "--junit", "-").run().exits(with: 2).printsNothing()
            .complains("--junit -: standard output has the other report: name a file")
    }
}
