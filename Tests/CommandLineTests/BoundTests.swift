import Glibc
import Testing

/// Files that ask for very much memory and work. The limit of memory is one of the process, which cannot have more: `ulimit -v`. No time is
/// measured.
@Suite struct BoundTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// With a gigabyte of address space, of which memory is a part.
    private func bounded(_ words: String...) -> Invocation {
        let line = ([Programs.threadlab] + words).map { "'\($0)'" }.joined(separator: " ")
        return Invocation(program: "/bin/sh", arguments: ["-c", "ulimit -v 1048576; exec \(line)"])
            .inDirectory(directory.path).wide
    }

    private func write(_ name: String, _ lines: [String]) throws {
        _ = try directory.write(name, Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    private func size(_ name: String) -> Int {
        var status = stat()
        return stat(directory.file(name), &status) == 0 ? Int(status.st_size) : -1
    }

    private static let header = #"{"threadlab":2,"scenario":"gone","parameters":{},"runtime":"native"}"#
    private static let end = #"{"outcome":{"kind":"completed","summary":"All went well."}}"#

    /// Each with one event: what all know of each other would be sixteen gigabytes.
    private func writeCrowd(_ count: Int) throws {
        let threads = (0..<count).map { #"{"thread":\#($0),"name":"t\#($0)"}"# }
        let events = (0..<count).map { #"{"n":\#($0 + 1),"t":\#($0),"thread":\#($0),"kind":"note","text":"a"}"# }
        try write("x", [Self.header] + threads + events + [Self.end])
    }

    private static let exports = [
        ("out.log", "shiviz"), ("out.pftrace", "perfetto"), ("out.html", "run"), ("out.svg", "lanes"),
        ("out.svg", "film"),
    ]

    @Test(arguments: exports)
    func `a trace of very many threads is exported in part, and that is said`(file: String, kind: String) throws {
        try writeCrowd(1 << 16)
        let ended = try bounded("export", "./x", file, "--as", kind).run().exits(with: 0)
        #expect(ended.errors.contains("x is too large to be shown as a whole: here are its first "))
        #expect(ended.errors.contains(" of 65,536 events\n"))
        #expect((1...100_000_000).contains(size(file)))
    }

    @Test(arguments: [
        ["export", "./x", "--as", "waits"], ["trace", "x", "--findings"], ["trace", "x"],
        ["trace", "x", "--format", "lanes"],
    ])
    func `a trace of very many threads is looked at in part`(words: [String]) throws {
        try writeCrowd(1 << 16)
        var command = bounded()
        command.arguments[1] += words.map { " '\($0)'" }.joined()
        let ended = try command.run()
        #expect(ended.code == 0 || ended.code == 1)
        #expect(ended.errors.contains("here are its first ") && ended.output.utf8.count < 100_000_000)
    }

    /// The thread holds more with each step.
    private func writeHoarder(_ count: Int) throws {
        let mutexes = (1...count).map { #"{"object":\#($0),"kind":"mutex","name":"m\#($0)"}"# }
        let events = (1...count).map {
            #"{"n":\#($0),"t":\#($0),"thread":0,"kind":"mutex.acquire","object":\#($0),"value":1}"#
        }
        try write("x", [Self.header, #"{"thread":0,"name":"main"}"#] + mutexes + events + [Self.end])
    }

    @Test func `of a part of a trace nothing is said that is about all of it`() throws {
        try writeHoarder(30_000)
        let part = try bounded("trace", "x").run().exits(with: 0)
        #expect(part.errors.contains("x is too large to be shown as a whole: here are its first "))
        part.prints("a part: How the run ends was not examined: it continues with ").doesNotPrint("All went well")
        let json = try bounded("trace", "x", "--format", "json").run().exits(with: 0)
        json.prints(#"{"omitted":"#).doesNotPrint("outcome")
        // What was saved of it is a trace, and a part still.
        _ = try directory.write("part", Array(json.output.utf8))
        let again = try bounded("trace", "part", "--format", "json").run().exits(with: 0)
        #expect(again.output == json.output && again.errors.isEmpty)
        for name in ["x", "part"] {
            try bounded("trace", name, "--findings").run().exits(with: 1).prints(
                "; the rest is too large to be examined.")
        }
        try bounded("trace", "part", "--findings", "--format", "json").run().exits(with: 1)
            .prints(#","omitted":"#).doesNotPrint("outcome")
        try bounded("diff", "./x", "./part").run().exits(with: 1)
            .prints(" are the same; what follows is too large to be compared.")
        try bounded("trace", "part", "--format", "none", "--html", "out").run().exits(with: 0)
        #expect(Files.text(directory.file("out"))?.contains("How the run ends was not examined") == true)
        let graph = try bounded("export", "./x", "--as", "waits").run().exits(with: 0)
        #expect(graph.errors.contains("no thread waits at the end of this part"))
    }

    @Test func `the orders of very many locks are drawn in part`() throws {
        try writeHoarder(3000)
        try bounded("export", "./x", "--as", "locks").run().succeeds().prints(
            "too large to draw: 2,000 of 65,536 arrows")
    }

    @Test func `a thread that holds very many locks has a page of a size that a browser can load`() throws {
        try writeHoarder(3000)
        try bounded("trace", "x", "--format", "none", "--html", "out").run().exits(with: 0)
        #expect((100_000...10_000_000).contains(size("out")))
    }

    @Test(arguments: exports) func `very long names are shown in part`(file: String, kind: String) throws {
        let long = String(repeating: "x", count: 500_000)
        let threads = (0..<20).map { #"{"thread":\#($0),"name":"t\#($0)\#(long)"}"# }
        let events = (0..<2000).map {
            #"{"n":\#($0 + 1),"t":\#($0),"thread":\#($0 % 20),"kind":"note","text":"a\#($0)"}"#
        }
        try write("x", [Self.header] + threads + events + [Self.end])
        try bounded("export", "./x", file, "--as", kind).run().exits(with: 0)
        #expect((1...10_000_000).contains(size(file)))
    }

    // MARK: - Runs

    @Test func `a run on real threads prints so many of its events, and saves all`() throws {
        let text = "scenario \"x\"\natomic a = 0\nthread t[2] { repeat 300000 { a.add(1) } }\nexpect completes\n"
        _ = try directory.write("x.lab", Array(text.utf8))
        let run = Invocation(
            program: Programs.threadlab,
            arguments: ["run", "x.lab", "--native", "--timeout", "10m", "--format", "json"])
        try run.inDirectory(directory.path).writing(to: .file(directory.file("out"))).run().exits(with: 0)
        let bytes = try #require(Files.read(directory.file("out")))
        #expect(bytes.firstRange(of: Array("\n{\"dropped\":".utf8)) != nil)
        #expect(bytes.count { $0 == UInt8(ascii: "\n") } < 500_100)
    }

    // MARK: - Configurations

    @Test func `a configuration of very many tables is refused where they are too many`() throws {
        _ = try directory.write("x.lab", Array("scenario \"x\"\n".utf8))
        try write("threadlab.toml", (0..<60_000).map { "[profile.a\($0)]" })
        try bounded("check", "x.lab").run().exits(with: 2).printsNothing().complainsInOneLine(
            about: "threadlab.toml:1001:1: there are more than 1000 tables")
    }

    @Test func `so is one of very many elements or keys`() throws {
        _ = try directory.write("x.lab", Array("scenario \"x\"\n".utf8))
        try write("threadlab.toml", ["[check]", "filter = [" + String(repeating: "'a',", count: 20_000) + "]"])
        try bounded("check", "x.lab").run().exits(with: 2).printsNothing().complainsInOneLine(
            about: ": there are more than 10000 elements of arrays")
        try write("threadlab.toml", ["[check]"] + (0..<20_000).map { "k\($0) = 1" })
        try bounded("check", "x.lab").run().exits(with: 2).printsNothing().complainsInOneLine(
            about: "threadlab.toml:1002:1: the table has more than 1000 keys")
    }

    // MARK: - Searches

    /// Of so many atomics and as many threads, each of which adds to all of them without end: a state has very many words, and each step leads to
    /// a new one.
    private func writeStates(_ count: Int) throws {
        let atomics = (0..<count).map { "atomic a\($0) = 0" }
        let steps = (0..<count).map { "        a\($0).add(1)" }
        try write(
            "states.lab",
            ["scenario \"states\""] + atomics + ["thread t[\(count)] {", "    while true {"] + steps + ["    }", "}"])
    }

    @Test func `a check of very many large states ends at the limit of memory, and says so`() throws {
        try writeStates(60)
        let ended = try threadlab("check", "states.lab", "--controlled", "--memory", "64", "--time", "1h")
            .inDirectory(directory.path).wide.run()
        ended.exits(with: 1).prints("memory")
    }

    @Test func `a page of a program with very many large states is refused, with their number`() throws {
        try writeStates(60)
        let ended = try bounded("export", "states.lab", "out.html").run().exits(with: 2)
        #expect(ended.errors.contains("too many for a page"))
        #expect(size("out.html") == -1)
    }
}
