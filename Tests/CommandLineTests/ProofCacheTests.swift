import Glibc
import Testing

/// `check --cache`: what was proved once is not searched again.
@Suite struct ProofCacheTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try CheckTests.folder(["a.lab": "deadlock"]) }

    private func check(_ words: String...) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: ["check", ".", "--cache", "proofs"] + words)
            .inDirectory(directory.path).run()
    }

    /// Whether a check uses a remembered proof. That it then does not search, a test of `Check` shows.
    private func remembers(_ words: String...) throws -> Bool {
        try Invocation(
            program: Programs.threadlab,
            arguments: ["check", ".", "--cache", "proofs", "--controlled", "--format", "json"] + words
        ).inDirectory(directory.path).run().output.contains(#""remembered":true"#)
    }

    private var files: [String] { TemporaryDirectory.names(in: directory.file("proofs")) }

    @Test func `a proof is remembered, and says so`() throws {
        let first = try check("--controlled").succeeds().doesNotPrint("remembered")
        #expect(files.count == 1 && files[0].hasSuffix(".proof"))
        let second = try check("--controlled").succeeds()
            .prints("deadlock found after 2 executions; all 3 orders tried, under any memory model (remembered)\n")
        #expect(first.lines.count == second.lines.count)
        try check().succeeds().prints("(remembered); native: ").prints(" runs\n")
    }

    @Test func `a changed byte, another seed, other rules and another name are another program`() throws {
        #expect(try !remembers())
        #expect(try remembers())
        #expect(try !remembers("--seed", "2"))
        #expect(try !remembers("--spurious", "0"))
        let text = try #require(Files.read(directory.file("a.lab")))
        try Files.write(directory.file("a.lab"), text + Array("\n".utf8))
        #expect(try !remembers())
        try Files.write(directory.file("a.lab"), text)
        #expect(try remembers())
        #expect(rename(directory.file("a.lab"), directory.file("b.lab")) == 0)
        #expect(try !remembers())
    }

    @Test func `a failure is not remembered`() throws {
        let text = try #require(Files.text(directory.file("a.lab")))
        try Files.write(
            directory.file("a.lab"), Array(text.replacing("expect deadlock", with: "expect completes").utf8))
        try check("--controlled").exits(with: 1)
        #expect(files.isEmpty)
    }

    @Test func `a search that is not a proof is not remembered`() throws {
        try check("--controlled", "--runs", "2").succeeds()
        #expect(files.isEmpty)
    }

    @Test func `a damaged file is ignored and replaced, whatever it is`() throws {
        #expect(try !remembers())
        let file = directory.file("proofs/\(files[0])")
        let good = try #require(Files.read(file))
        var flipped = good
        flipped[good.count - 20] ^= 1
        let damages: [[UInt8]] = [
            [], Array(good.dropLast()), good + [0], flipped, Array(good.suffix(100)), Array("threadlab proof 4\n".utf8),
            Array("threadlab proof 4\n99999999999999999999\n".utf8), [UInt8](repeating: 0xFF, count: 5_000_000),
        ]
        for damage in damages {
            try Files.write(file, damage)
            #expect(try !remembers())
            #expect(Files.read(file) == good)
            #expect(try remembers())
        }
        unlink(file)
        #expect(mkfifo(file, 0o644) == 0)
        #expect(try !remembers() && remembers())
        #expect(Files.read(file) == good && files.count == 1)
    }

    /// As with any cache of results.
    @Test func `what can write to the folder can forge a proof`() throws {
        #expect(try !remembers())
        let text = try #require(Files.text(directory.file("a.lab")))
        // It ends as before no more.
        let other = text.replacing("lock b { lock a", with: "lock a { lock b")
        #expect(other != text && other.utf8.count == text.utf8.count)
        try Files.write(directory.file("a.lab"), Array(other.utf8))
        try check("--controlled").exits(with: 1)
        let proof = try #require(Files.read(directory.file("proofs/\(files[0])")))
        let lines = proof.split(separator: UInt8(ascii: "\n"), maxSplits: 2).map { Array($0) }
        let count = try #require(Int(String(decoding: lines[1], as: UTF8.self)))
        let key = Array(lines[2].prefix(count).dropLast(text.utf8.count)) + Array(other.utf8)
        var forged = lines[0]
        for part in [lines[1], key + lines[2].dropFirst(count).dropLast(8)] {
            forged.append(UInt8(ascii: "\n"))
            forged += part
        }
        let sum = Self.hash(forged)
        forged += (0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
        let digits = String(Self.hash(key), radix: 16)
        let name = String(repeating: "0", count: 16 - digits.count) + digits
        _ = try directory.write("proofs/\(name).proof", forged)
        try check("--controlled").succeeds().prints("(remembered)")
    }

    /// FNV-1a.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    @Test func `a proof of a built-in scenario holds for this program only`() throws {
        let words = ["check", "--builtin", "--filter", "deadlock/ordered", "--controlled", "--cache", "proofs"]
        let copy = directory.file("copy")
        // Another process writes it: a process that a test starts meanwhile would keep it open, and so it could not be run.
        try Invocation(program: "/bin/cp", arguments: [Programs.threadlab, copy]).run().succeeds()
        func remembers(_ program: String) throws -> Bool {
            try Invocation(program: program, arguments: words).inDirectory(directory.path).run().succeeds()
                .output.contains("(remembered)")
        }
        #expect(try !remembers(Programs.threadlab))
        #expect(try remembers(Programs.threadlab))
        #expect(try !remembers(copy))
    }

    @Test func `a folder that cannot be used is refused, and one that fills up is only a warning`() throws {
        try threadlab("check", ".", "--cache", "a.lab").inDirectory(directory.path).run().exits(with: 2)
            .printsNothing().complains("cannot save proofs in 'a.lab': it is not a directory")
        #expect(try !remembers())
        let file = directory.file("proofs/\(files[0])")
        unlink(file)
        #expect(mkdir(file, 0o755) == 0)
        let check = try check("--controlled").exits(with: 0)
        #expect(check.errors.hasPrefix("threadlab: warning: cannot write proofs/"))
    }
}
