import Glibc
import Testing

/// `check --shard` and `merge`: many machines, one report.
@Suite struct MergeTests {
    private let directory: TemporaryDirectory

    /// A repository with programs that pass, fail and are wrong, one of them under several memory models.
    init() throws {
        directory = try TemporaryDirectory()
        for folder in [".git", "labs", "labs/sub"] { try directory.directory(folder) }
        let mixed = try CheckTests.mixed()
        for (name, content) in [
            ("a", "good"), ("b", "bad"), ("c", "good"), ("d", "wrong"), ("sub/e", "bad"), ("sub/f", "good"),
        ] {
            _ = try directory.write("labs/\(name).lab", try #require(Files.read(mixed.file("\(content).lab"))))
        }
        let models = """
            scenario "m"
            atomic x = 0, y = 0
            shared r0 = 0, r1 = 0
            thread a { x.store(1, relaxed); r0 = y.load(relaxed) }
            thread b { y.store(1, relaxed); r1 = x.load(relaxed) }
            expect under sc completes
            expect under tso broken never r0 == 0 && r1 == 0

            """
        _ = try directory.write("labs/m.lab", Array(models.utf8))
    }

    private func run(_ words: [String]) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path).run()
    }

    private func check(_ words: String...) throws -> Ended { try run(["check", "labs", "--controlled"] + words) }

    /// The results of all parts.
    private func parts(_ count: Int) throws -> [String] {
        try (1...count).map { number in
            let file = "part-\(number)-of-\(count)"
            _ = try check("--shard", "\(number)/\(count)", "--result", file)
            return file
        }
    }

    /// Without the durations, which no two checks share.
    private func text(_ file: String) -> String {
        (Files.text(directory.file(file)) ?? "\(file) is missing").replacing(#/time="[0-9.]*"/#, with: "")
    }

    private static let files = [
        "report.xml", "sarif", "pages/index.html", "pages/labs-b.html", "pages/labs-sub-e.html",
    ]

    private func report(_ words: [String]) throws -> (Ended, [String]) {
        for file in Self.files { unlink(directory.file(file)) }
        let ended = try run(
            words + ["--junit", "report.xml", "--sarif", "sarif", "--html", "pages", "--save", "traces"])
        return (ended, Self.files.map(text))
    }

    // MARK: - What is joined

    @Test func `parts in any order give what one machine writes`() throws {
        let (one, files) = try report(["check", "labs", "--controlled"])
        one.exits(with: 2)
        for count in [1, 2, 3] {
            let parts = try parts(count)
            for order in Self.orders(of: parts) {
                let (merged, joined) = try report(["check", "--merge"] + order)
                #expect(
                    merged.exits(with: 2).lines.dropLast().map(Self.timeless) == one.lines.dropLast().map(Self.timeless)
                )
                #expect(joined == files)
                #expect(Self.timeless(merged.lines.last ?? "") == Self.timeless(one.lines.last ?? ""))
            }
        }
        let lists = try ["one", "joined"].map { name in
            let words =
                name == "one"
                ? ["check", "labs", "--controlled"] : ["check", "--merge"] + (1...3).map { "part-\($0)-of-3" }
            try run(words + ["--write-baseline", name]).succeeds()
            return try #require(Files.text(directory.file(name)))
        }
        let known = "\nlabs/b.lab: deadlock\nlabs/d.lab: wrong\nlabs/sub/e.lab: deadlock\n"
        #expect(lists[0] == lists[1] && lists[0].hasSuffix(known))
    }

    @Test func `the result of one machine gives its own bytes again`() throws {
        try check("--result", "all", "--junit", "one.xml", "--sarif", "one.sarif", "--html", "one").exits(with: 2)
        try run([
            "check", "--merge", "all", "--result", "again", "--junit", "two.xml", "--sarif", "two.sarif", "--html",
            "two",
        ])
        .exits(with: 2)
        for (one, two) in [
            ("all", "again"), ("one.xml", "two.xml"), ("one.sarif", "two.sarif"), ("one/index.html", "two/index.html"),
        ] {
            let bytes = try #require(Files.read(directory.file(one)))
            #expect(bytes == Files.read(directory.file(two)), "\(one)")
        }
        let trace = try run(["check", "--merge", "all", "--save", "traces"]).exits(with: 2).output
        #expect(trace.contains("Its trace is saved in traces/labs-b.trace."))
        try run(["replay", "traces/labs-b.trace"]).exits(with: 1).prints("deadlock: ")
    }

    @Test func `every selection of parts is refused or exact`() throws {
        let parts = try parts(4)
        let (_, files) = try report(["check", "--merge"] + parts)
        // Each part is absent, there, or there twice.
        for selection in 0..<81 {
            let counts = (0..<4).map { selection / [1, 3, 9, 27][$0] % 3 }
            let chosen = zip(parts, counts).flatMap { part, count in [String](repeating: part, count: count) }
            if chosen.isEmpty { continue }
            let (ended, joined) = try report(["check", "--merge"] + chosen)
            if counts == [1, 1, 1, 1] {
                #expect(joined == files)
            } else {
                ended.exits(with: 2).printsNothing().complainsInOneLine(
                    about: counts.contains(2) ? "are both part" : "missing: ")
                #expect(!joined.contains { !$0.hasSuffix("is missing") })
            }
        }
    }

    private static func orders(of parts: [String]) -> [[String]] {
        if parts.count < 2 { return [parts] }
        return parts.indices.flatMap { index in
            var rest = parts
            let part = rest.remove(at: index)
            return orders(of: rest).map { [part] + $0 }
        }
    }

    private static func timeless(_ line: Substring) -> String {
        String(line).replacing(#/ *\(?[0-9]+\.[0-9]+ s\)?/#, with: "")
    }

    // MARK: - What is refused

    @Test func `parts of different checks are refused, with the difference`() throws {
        let parts = try parts(2)
        func refuse(_ words: [String], _ message: String) throws {
            _ = try run(["check"] + words + ["--shard", "2/2", "--result", "other"])
            try run(["check", "--merge", parts[0], "other"]).exits(with: 2).printsNothing().complainsInOneLine(
                about: message)
        }
        let different = "other and \(parts[0]) are of different checks: "
        try refuse(["labs", "--controlled", "--seed", "2"], different + "--seed 2 and 1")
        try refuse(["labs", "--runs", "5", "--controlled"], different + "--runs 5 and not given")
        try refuse(["labs"], different + "--controlled not given and given")
        try refuse(["labs/sub", "--controlled"], different + "only \(parts[0]) has labs/a.lab")
        try refuse(["labs", "labs/sub", "--controlled"], different + "what their command lines name")
        _ = try run(["check", "labs", "--controlled", "--shard", "2/3", "--result", "other"])
        try run(["check", "--merge", parts[0], "other"]).exits(with: 2).complainsInOneLine(
            about: different + "parts 2/3 and 1/2")
        _ = try check("--result", "other")
        try run(["check", "--merge", parts[0], "other"]).exits(with: 2).complainsInOneLine(
            about: "other is of a whole check")
        try run(["check", "--merge", "other", parts[0]]).exits(with: 2).complainsInOneLine(
            about: "other is of a whole check")
    }

    @Test func `a file that is not a whole result is refused`() throws {
        try check("--result", "all").exits(with: 2)
        let bytes = try #require(Files.read(directory.file("all")))
        func refuse(_ bytes: [UInt8], _ message: String) throws {
            _ = try directory.write("x", bytes)
            try run(["check", "--merge", "x"]).exits(with: 2).printsNothing().complainsInOneLine(about: message)
        }
        try refuse([], "x is not a result of a check: 'check --result FILE' writes one")
        try refuse(Array("junk".utf8), "x is not a result of a check")
        try refuse(Array("threadlab result 1 0.0.1\nabc".utf8), "x is of version 0.0.1 of threadlab, and this is ")
        try refuse(Array("threadlab result 1 \u{1B}[31m".utf8), "x is of version ")
        for length in [30, bytes.count / 2, bytes.count - 1] { try refuse(Array(bytes.prefix(length)), "x is damaged") }
        for place in stride(from: 40, to: bytes.count, by: bytes.count / 12) {
            var damaged = bytes
            damaged[place] ^= 4
            try refuse(damaged, "x is damaged, or not complete: check that part again")
        }
        try run(["check", "--merge", "none"]).exits(with: 2).complainsInOneLine(
            about: "cannot read none: No such file or directory")
    }

    @Test func `forged results are no harm`() throws {
        try check("--result", "all").exits(with: 2)
        let bytes = try #require(Files.read(directory.file("all")))
        let start = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
        var random = Xorshift(state: 0x9E37_79B9_7F4A_7C15)
        for _ in 0..<60 {
            var forged = Array(bytes.dropLast(8))
            for _ in 0...Int(random.next() % 4) {
                let place = start + Int(random.next() % UInt64((forged.count - start) / 8)) * 8
                forged[place] = UInt8(truncatingIfNeeded: random.next() % 12)
            }
            // FNV-1a: a forger can compute it.
            let hash = forged.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            _ = try directory.write("x", forged + (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) })
            let merged = try run(["check", "--merge", "x", "--junit", "x.xml", "--html", "pages", "--save", "traces"])
                .isSafeToShow()
            // That a check has failed is what a result can say, and a merge says it again.
            let isRepeated = merged.code == 3 && merged.errors.isEmpty
            #expect(isRepeated || merged.code.map { (0...2).contains($0) } == true, "\(merged.errors)")
        }
    }

    @Test func `a forged trace in a result is the mistake of that file, and nothing is written`() throws {
        try check("--result", "all").exits(with: 2)
        let forged = ForgedFile(try #require(Files.read(directory.file("all"))))
        _ = try directory.write("x", try #require(forged.with("kinx", insteadOf: "kind")))
        try run(["check", "--merge", "x", "--junit", "x.xml", "--html", "pages"]).exits(with: 2).printsNothing()
            .complainsInOneLine(about: "x is damaged: the trace of labs/b.lab: line ")
        #expect(!directory.names.contains("x.xml") && !directory.names.contains("pages"))
    }

    @Test func `a time beyond all clocks is damage`() throws {
        try check("--result", "all").exits(with: 2)
        let forged = ForgedFile(try #require(Files.read(directory.file("all"))))
        for place in 0..<min(200, forged.wordCount) {
            _ = try directory.write("x", forged.with(-1, at: place))
            let merged = try run(["check", "--merge", "x", "--junit", "x.xml"])
            #expect(merged.signal == nil, "-1 at \(place)")
        }
    }

    private struct Xorshift {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    @Test func `an interrupted check is no part`() throws {
        let text = "scenario \"x\"\natomic n = 0\nthread t[4] { repeat 100 { n.add(1) } }\nexpect completes\n"
        _ = try directory.write("labs/z.lab", Array(text.utf8))
        try Invocation(
            program: Programs.threadlab,
            arguments: ["check", "labs", "--controlled", "--time", "1h", "--jobs", "1", "--result", "x", "--tap"]
        ).inDirectory(directory.path).whenItPrints("ok 9") { $0.signal(SIGINT) }.run().exits(with: 130)
        try run(["check", "--merge", "x"]).exits(with: 2).printsNothing()
            .complainsInOneLine(about: "x is of a check that was interrupted: repeat it")
    }

    // MARK: - Division

    @Test func `each scenario is in one part, and a new one moves no other`() throws {
        func parts() throws -> [[String]] {
            try (1...3).map { try check("--shard", "\($0)/3", "--list").lines.map(String.init) }
        }
        let before = try parts()
        #expect(before.joined().count == 8 && Set(before.joined()).count == 8)
        _ = try directory.write("labs/new.lab", try #require(Files.read(directory.file("labs/a.lab"))))
        let after = try parts()
        #expect(zip(before, after).allSatisfy { Set($0).isSubset(of: $1) } && after.joined().count == 9)
        for wrong in ["0/3", "4/3", "3", "a/b", "1/0", "1/2/3", "-1/2", "1/99999"] {
            try check("--shard", wrong).exits(with: 2).printsNothing().complainsInOneLine(
                about: "--shard \(wrong): must be")
        }
    }

    @Test func `parts balanced by durations are whole, and are joined`() throws {
        try check("--result", "times").exits(with: 2)
        let parts = try (1...3).map { number in
            _ = try check("--shard", "\(number)/3", "--balance", "times", "--result", "part-\(number)")
            return "part-\(number)"
        }
        try run(["check", "--merge"] + parts).exits(with: 2).prints("6 passed, 2 failed, 1 wrong file")
        _ = try check("--shard", "1/3", "--result", "part-1")
        try run(["check", "--merge"] + parts).exits(with: 2).complainsInOneLine(about: "--balance")
        try check("--balance", "times").exits(with: 2).complainsInOneLine(about: "say which part with --shard")
    }

    @Test func `a baseline is judged by the parts as by one machine`() throws {
        let known =
            "labs/a.lab\nlabs/b.lab\nlabs/d.lab\nlabs/gone.lab\nlabs/sub/e.lab\nelsewhere/x.lab\nlabs/m.lab under rc11\n"
        _ = try directory.write("known", Array(known.utf8))
        let whole = try check("--baseline", "known").exits(with: 1)
        var failures: [String] = []
        for number in 1...4 {
            let part = try check("--shard", "\(number)/4", "--baseline", "known", "--result", "part-\(number)")
            failures += part.lines.filter { $0.hasPrefix("FAIL  ") }.map {
                Self.timeless($0).split(separator: " ").dropFirst().joined(separator: " ")
            }
        }
        let expected = whole.lines.filter { $0.hasPrefix("FAIL  ") }
            .map { Self.timeless($0).split(separator: " ").dropFirst().joined(separator: " ") }
        #expect(expected.count == 3 && failures.sorted() == expected.sorted())
        try run(["check", "--merge"] + (1...4).map { "part-\($0)" } + ["--baseline", "known"]).exits(with: 1)
            .prints("labs/gone.lab").doesNotPrint("elsewhere")
    }
}
