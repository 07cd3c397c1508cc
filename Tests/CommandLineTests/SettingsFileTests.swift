import Glibc
import Support
import Testing

/// Files that change what commands do: `threadlab.toml`, `.threadlab-learn`, caches, and a repository's own configuration. They may be
/// a stranger's.
@Suite struct SettingsFileTests {
    private let directory: TemporaryDirectory
    static let isRoot = geteuid() == 0
    static let stranger: uid_t = 65534

    private static let program = "scenario \"x\"\natomic n = 0\nthread t { n.add(1) }\nexpect completes\n"

    init() throws {
        directory = try TemporaryDirectory()
        for folder in ["repo", "repo/.git", "repo/labs"] { try directory.directory(folder) }
        for file in ["repo/a.lab", "repo/labs/b.lab"] { _ = try directory.write(file, Array(Self.program.utf8)) }
    }

    private func write(_ name: String, _ text: String) throws { _ = try directory.write(name, Array(text.utf8)) }

    private func check(in folder: String = "repo", _ words: String...) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: ["check", "--controlled"] + words)
            .inDirectory(directory.file(folder)).wide.run()
    }

    private func give(_ name: String) throws {
        try #require(chown(directory.file(name), Self.stranger, Self.stranger) == 0)
    }

    // MARK: - Whose it is

    @Test(.enabled(if: isRoot)) func `a configuration of another user is an error, and what to do is said`() throws {
        try write("repo/threadlab.toml", "[check]\njunit = \"report.xml\"\n")
        try give("repo/threadlab.toml")
        let reason = "and a configuration is believed only from you and root: --no-config checks without it"
        try check("a.lab").exits(with: 2).printsNothing()
            .complainsInOneLine(about: "threadlab.toml belongs to another user (65534), \(reason)")
        try check(in: "repo/labs", "b.lab").exits(with: 2).complainsInOneLine(
            about: "../threadlab.toml belongs to another user (65534), \(reason)")
        try check("a.lab", "--no-config").succeeds()
        #expect(Files.read(directory.file("repo/report.xml")) == nil)
    }

    @Test(.enabled(if: isRoot)) func `so is one in a folder of another user, and a link of another user's`() throws {
        try write("repo/threadlab.toml", "[check]\nseed = 7\n")
        try give("repo")
        try check("a.lab").exits(with: 2).complainsInOneLine(
            about: "the folder of threadlab.toml belongs to another user (65534)")
        try #require(chown(directory.file("repo"), 0, 0) == 0)
        try check("a.lab").succeeds()
        try #require(rename(directory.file("repo/threadlab.toml"), directory.file("repo/own.toml")) == 0)
        try #require(symlink("own.toml", directory.file("repo/threadlab.toml")) == 0)
        try #require(lchown(directory.file("repo/threadlab.toml"), Self.stranger, Self.stranger) == 0)
        try check("a.lab").exits(with: 2).complainsInOneLine(about: "threadlab.toml belongs to another user (65534)")
    }

    @Test func `a configuration that all users can change is an error`() throws {
        try write("repo/threadlab.toml", "[check]\nseed = 7\n")
        try check("a.lab").succeeds()
        try #require(chmod(directory.file("repo/threadlab.toml"), 0o666) == 0)
        try check("a.lab").exits(with: 2).complainsInOneLine(about: "threadlab.toml can be changed by all users")
        try #require(chmod(directory.file("repo/threadlab.toml"), 0o644) == 0)
        try #require(chmod(directory.file("repo"), 0o777) == 0)
        try check("a.lab").exits(with: 2).complainsInOneLine(
            about: "the folder of threadlab.toml can be changed by all users")
    }

    /// As /tmp is, which is above many folders.
    @Test(arguments: ["threadlab.toml", ".threadlab-learn"])
    func `nothing is searched in a folder above, to which all users can add files`(name: String) throws {
        for folder in ["open", "open/mine"] { try directory.directory(folder) }
        try write("open/mine/a.lab", Self.program)
        try write("open/\(name)", name == "threadlab.toml" ? "[check]\nunknown = 1\n" : "checkout ../fake\n")
        let words = name == "threadlab.toml" ? ["check", "a.lab", "--controlled"] : ["learn"]
        let invocation = Invocation(program: Programs.threadlab, arguments: words)
            .inDirectory(directory.file("open/mine"))
        try invocation.run().exits(with: 2)
        try #require(chmod(directory.file("open"), 0o1777) == 0)
        try invocation.run().succeeds()
    }

    @Test(.enabled(if: isRoot)) func `nor in a folder above that is another user's`() throws {
        for folder in ["theirs", "theirs/mine"] { try directory.directory(folder) }
        try write("theirs/mine/a.lab", Self.program)
        try write("theirs/threadlab.toml", "[check]\nunknown = 1\n")
        try check(in: "theirs/mine", "a.lab").exits(with: 2).complainsInOneLine(about: "../threadlab.toml:2:1: ")
        try give("theirs")
        try check(in: "theirs/mine", "a.lab").succeeds()
    }

    @Test(.enabled(if: isRoot)) func `a learner's notes are believed only from their owner`() throws {
        try write("repo/.threadlab-learn", "read two-threads\n")
        let learn = threadlab("learn").inDirectory(directory.file("repo/labs")).wide
        try learn.run().succeeds()
        try give("repo/.threadlab-learn")
        try learn.run().exits(with: 2).printsNothing().complainsInOneLine(
            about: "../.threadlab-learn belongs to another user (65534), and a file of notes is believed only from you "
                + "and root: work in a folder of your own")
    }

    // MARK: - What it may not say

    static let outside = [
        "../x", "/tmp/threadlab-x", "labs/../../x", "out/x", "dangling", "labs/more/../../../x",
        // One `Character` with the slash before it.
        "../\u{338}x", "/\u{338}x", "labs/../../\u{338}x", "out/\u{338}x",
    ]
    static let written = [
        "save", "html", "junit", "sarif", "result", "cache", "write-baseline", "write-proved", "baseline", "proved",
        "against", "last-failed", "balance",
    ]

    @Test(arguments: written, Extent.part(of: outside, every: 3))
    func `a configuration leads to nothing outside of its folder`(
        option: String, path: String
    ) throws {
        try #require(symlink("..", directory.file("repo/out")) == 0)
        try #require(symlink("../x", directory.file("repo/dangling")) == 0)
        for table in ["check", "profile.unused"] {
            try write("repo/threadlab.toml", "[\(table)]\n\(option) = \"\(path)\"\n")
            let place = "threadlab.toml:2:\(option.count + 4): "
            for folder in ["repo", "repo/labs"] {
                try check(in: folder).exits(with: 2).printsNothing().complainsInOneLine(
                    about: place + "'\(path)' leads out of the folder of this file, and what the file says stays in it")
            }
        }
        #expect(directory.names == ["repo"] && access("/tmp/threadlab-x", F_OK) != 0)
    }

    @Test func `a file that is a link out of the folder is not written, and what stays in it is`() throws {
        try write("victim", "mine\n")
        try #require(symlink("../victim", directory.file("repo/report.xml")) == 0)
        try write("repo/threadlab.toml", "[check]\njunit = \"report.xml\"\n")
        try check("a.lab").exits(with: 2).complainsInOneLine(about: "'report.xml' leads out of the folder")
        #expect(Files.text(directory.file("victim")) == "mine\n")
        try write("repo/threadlab.toml", "[check]\njunit = \"labs/../other.xml\"\nsave = \"traces\"\n")
        try check(in: "repo/labs", "b.lab").succeeds()
        #expect(Files.text(directory.file("repo/other.xml"))?.contains("<testsuite") == true)
        #expect(access(directory.file("repo/traces"), F_OK) == 0)
    }

    @Test func `nor does it name what to check there`() throws {
        try write("b.lab", Self.program)
        try write("repo/threadlab.toml", "[check]\npaths = [\"a.lab\", \"../b.lab\"]\n")
        try check().exits(with: 2).complainsInOneLine(about: "threadlab.toml:2:19: '../b.lab' leads out of the folder")
    }

    @Test(arguments: ["check", "profile.unused"]) func `a configuration names no revision`(table: String) throws {
        try write("repo/threadlab.toml", "[\(table)]\nseed = 7\nchanged-since = \"HEAD\"\n")
        try check("a.lab").exits(with: 2).printsNothing().complainsInOneLine(
            about: "threadlab.toml:3:1: 'changed-since' counts only where it is typed: a file names no revision")
    }

    @Test func `a learner's notes name no checkout, whose code would be built`() throws {
        try write("repo/.threadlab-learn", "# Notes.\n\nread two-threads\ncheckout ../fake\n")
        for words in [["learn"], ["learn", "check", "--swift"], ["learn", "lint", "--swift"]] {
            let ended = try Invocation(program: Programs.threadlab, arguments: words)
                .inDirectory(directory.file("repo")).wide.run().exits(with: 2).printsNothing()
            ended.complainsInOneLine(
                about: ".threadlab-learn:4: a file of notes names no checkout, which is code: remove the line, "
                    + "and give --checkout")
        }
    }

    // MARK: - A repository's own configuration

    private func git(_ words: String...) throws -> Ended {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        return try Invocation(program: "/usr/bin/git", arguments: identity + words)
            .inDirectory(directory.file("theirs")).run()
    }

    private var hasRunSomething: Bool { directory.names.contains { $0.hasPrefix("RAN") } }

    @Test(.enabled(if: access("/usr/bin/git", X_OK) == 0))
    func `git runs nothing that a repository's configuration names`() throws {
        try directory.directory("theirs")
        try write("theirs/a.lab", Self.program)
        try write("theirs/.gitattributes", "*.lab filter=theirs diff=theirs\n")
        _ = try git("init", "--quiet").exits(with: 0)
        _ = try git("add", ".").exits(with: 0)
        _ = try git("commit", "--quiet", "--message", "one").exits(with: 0)
        let mark = directory.file("RAN")
        let configuration = """
            [core]
                repositoryformatversion = 1
                fsmonitor = "touch \(mark)-fsmonitor; false"
                pager = "touch \(mark)-pager; cat"
                hooksPath = hooks
            [filter "theirs"]
                clean = "touch \(mark)-clean; cat"
                smudge = "touch \(mark)-smudge; cat"
                required = true
            [diff]
                external = "touch \(mark)-external"
            [diff "theirs"]
                textconv = "touch \(mark)-textconv; cat"
            [extensions]
                partialClone = origin
            [protocol]
                allow = always
            [protocol "ext"]
                allow = always
            [remote "origin"]
                promisor = true
                url = "ext::sh -c touch% \(mark)-transport"

            """
        let file = directory.file("theirs/.git/config")
        try Files.write(file, Array(configuration.utf8))
        try directory.directory("theirs/hooks")
        for hook in ["post-index-change", "fsmonitor-watchman", "query-watchman"] {
            try Files.writeProgram(
                directory.file("theirs/hooks/\(hook)"), Array("#!/bin/sh\ntouch \(mark)-hook\n".utf8))
        }
        // So that git would look at the file itself.
        let old = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
        try #require(utimes(directory.file("theirs/a.lab"), old) == 0)
        try check(in: "theirs", ".", "--changed-since", "HEAD").succeeds().prints("nothing to check")
        try write("theirs/new.lab", Self.program)
        try check(in: "theirs", ".", "--changed-since", "HEAD", "--list").succeeds().prints("new.lab")
        let missing = String(repeating: "1", count: 40)
        try check(in: "theirs", ".", "--changed-since", missing).exits(with: 2)
            .complainsInOneLine(about: "--changed-since \(missing): git knows no such revision")
        for revision in ["--output=RAN", "-h", "HEAD --output=RAN", "HEAD:a.lab", "HEAD\nHEAD"] {
            try check(in: "theirs", ".", "--changed-since=\(revision)").exits(with: 2).printsNothing()
        }
        #expect(!hasRunSomething, "\(directory.names)")
        // The traps work.
        _ = try git("diff", "HEAD")
        _ = try git("rev-parse", "--verify", missing + "^{commit}")
        #expect(directory.names.contains("RAN-fsmonitor") && directory.names.contains("RAN-transport"))
    }

    // MARK: - Caches

    @Test(.enabled(if: isRoot)) func `proofs are believed only from their owner`() throws {
        func remembers() throws -> Bool {
            try check(in: "repo", "a.lab", "--cache", "proofs").exits(with: 0).output.contains("(remembered)")
        }
        #expect(try !remembers())
        #expect(try remembers())
        let file = try #require(TemporaryDirectory.names(in: directory.file("repo/proofs")).first)
        try give("repo/proofs/\(file)")
        #expect(try !remembers())
        try give("repo/proofs")
        try check("a.lab", "--cache", "proofs").exits(with: 2).printsNothing().complainsInOneLine(
            about: "proofs belongs to another user (65534), and a cache is believed only from you and root: name a "
                + "folder of yours")
    }

    @Test(.enabled(if: isRoot)) func `what was built before is run only from its owner`() throws {
        try threadlab("new", "--course", "own", "--swift").inDirectory(directory.path).run().succeeds()
        try threadlab("learn", "init", "work", "--course", "own").inDirectory(directory.path).run().succeeds()
        for folder in ["cache", "cache/threadlab", "cache/threadlab/exercises", "sources"] {
            try directory.directory(folder)
        }
        try write("sources/Package.swift", "")
        try give("cache/threadlab/exercises")
        var check = threadlab("learn", "check", "1.2", "--swift", "--checkout", directory.file("sources"))
            .inDirectory(directory.file("work")).wide
        check.environment["XDG_CACHE_HOME"] = directory.file("cache")
        check.environment["PATH"] = "/nowhere"
        try check.run().exits(with: 2).complainsInOneLine(
            about: "cache/threadlab/exercises belongs to another user (65534), and a cache is believed only from you")
    }
}
