import Glibc
import Support
import Testing
import Trace

/// Files of strangers with numbers at the ends of what types hold, in each of their fields: whatever reads them ends with an exit code of its
/// own, and says which file is wrong.
///
/// A fortieth of as many as `THREADLAB_FUZZ_PROGRAMS` says are tried besides, with seeds that nobody has tried, or with those from
/// `THREADLAB_FUZZ_SEED` on.
@Suite struct ExtremeNumberFuzzTests {
    private let directory: TemporaryDirectory

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    private static func seeds(_ usual: UInt64) -> [UInt64] {
        let first = number("THREADLAB_FUZZ_SEED") ?? .random(in: 1 << 20...1 << 40)
        return Array(1...usual) + (0..<(number("THREADLAB_FUZZ_PROGRAMS") ?? 0) / 40).map { first + $0 }
    }

    init() throws { directory = try TemporaryDirectory() }

    @discardableResult
    private func run(_ words: [String], input: String = "/dev/null") throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path).reading(from: input)
            .run()
    }

    /// No trap, and nothing that is threadlab's own failure.
    private func holds(
        _ ended: Ended, _ what: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        ended.isSafeToShow(sourceLocation: sourceLocation)
        let isOwn = ended.code.map { (0...2).contains($0) } ?? false
        if !isOwn || ended.errors.contains("bug in threadlab") {
            Issue.record(
                "\(what()): code \(ended.code ?? -1), signal \(ended.signal ?? 0): \(ended.errors.prefix(400))",
                sourceLocation: sourceLocation)
        }
    }

    // MARK: - Traces

    private static let views = [
        [], ["--format", "lanes", "--code"], ["--format", "lanes", "--all", "--insides", "--modification-order"],
        ["--format", "json"], ["--diagnose", "all"], ["--html", "h", "--format", "none"],
    ]
    private static let commands = [
        "end", "state", "lanes", "back 3", "forward \(Int.max)", "back \(Int.max)", "goto \(Int.max)", "start", "why 1",
        "run until line \(Int.max)", "forward", "quit",
    ]

    @Test(arguments: seeds(Extent.isWhole ? 6 : 2)) func `a trace with extreme numbers is shown in every view`(
        seed: UInt64
    ) throws {
        let trace = try directory.write("x", ExtremeTrace.text(seed: seed))
        let other = try directory.write("y", ExtremeTrace.text(seed: seed + 1 << 41))
        let typed = try directory.write("typed", Array(Self.commands.map { $0 + "\n" }.joined().utf8))
        for words in Self.views { holds(try run(["trace", trace] + words), "seed \(seed), trace \(words)") }
        for words in [
            ["trace", trace, "--findings", "--diagnose", "all"], ["export", trace], ["export", trace, "--as", "locks"],
            ["export", trace, "--as", "waits"], ["export", trace, "--as", "order"],
            ["export", trace, "--as", "reads-from"],
            ["export", trace, "p.pftrace"], ["export", trace, "s.log"], ["export", trace, "v.svg"],
            ["export", trace, "f.svg", "--as", "film"],
            ["diff", trace, other], ["diff", trace, trace], ["replay", trace],
        ] { holds(try run(words), "seed \(seed), \(words)") }
        holds(try run(["play", trace, "--plain"], input: typed), "seed \(seed), play")
    }

    // MARK: - Tasks and results

    private static let programs = [
        "bad": """
        scenario "bad"
        mutex a, b
        thread x { lock a { lock b { } } }
        thread y { lock b { lock a { } } }
        expect completes

        """,
        "good": """
        scenario "good"
        atomic n = 0
        thread t[2] { n.add(1); n.add(1) }
        expect always n == 4

        """,
    ]

    private func writePrograms() throws {
        for (name, text) in Self.programs { _ = try directory.write("\(name).lab", Array(text.utf8)) }
    }

    /// What a forger makes of a file, a word at a time.
    private func forge(
        _ file: String, seeds: [UInt64], _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let forged = ForgedFile(try #require(Files.read(directory.file(file))))
        for seed in seeds {
            var random = SplitMix64(seed: seed)
            let place = random.next(below: forged.wordCount)
            let word = ExtremeNumbers.words[random.next(below: ExtremeNumbers.words.count)]
            _ = try directory.write("x", forged.with(word, at: place))
            let ended = try run(words)
            // That a scenario's check has failed is what a result can say, and a merge says it again.
            if ended.code == 3 && ended.errors.isEmpty && words.contains("--merge") { continue }
            holds(ended, "seed \(seed): \(word) at \(place) of \(file)", sourceLocation: sourceLocation)
            for left in ["y", "y.progress", "y.lock"] { unlink(directory.file(left)) }
        }
    }

    @Test func `a result of a check with extreme numbers is merged or refused`() throws {
        try writePrograms()
        try run(["check", ".", "--controlled", "--result", "all"]).exits(with: 1)
        try forge(
            "all", seeds: Self.seeds(120),
            ["check", "--merge", "x", "--junit", "j", "--sarif", "r", "--html", "h", "--save", "t"])
    }

    @Test(arguments: [
        ["bad.lab", "--strategy", "random", "--runs", "100", "--outcomes"], ["bad.lab", "--strategy", "dpor"],
        ["good.lab", "--strategy", "states"],
    ])
    func `a task, its result and its progress with extreme numbers are worked on, merged or refused`(
        words: [String]
    ) throws {
        try writePrograms()
        try run(["explore"] + words + ["--divide", "1", "--to", "tasks", "--time", "10m"])
        try run(["work", "tasks/1.task"]).exits(with: 0)
        try forge("tasks/1.result", seeds: Self.seeds(80), ["work", "--merge", "x"])
        try forge("tasks/1.task", seeds: Self.seeds(40), ["work", "x", "--output", "y", "--time", "300ms"])
        rename(directory.file("tasks/1.task"), directory.file("1.task"))
        // Progress is a result that is not complete.
        let forged = ForgedFile(try #require(Files.read(directory.file("tasks/1.result"))))
        for seed in Self.seeds(20) {
            var random = SplitMix64(seed: seed)
            let word = ExtremeNumbers.words[random.next(below: ExtremeNumbers.words.count)]
            _ = try directory.write("y.progress", forged.with(word, at: random.next(below: forged.wordCount)))
            holds(try run(["work", "1.task", "--output", "y", "--time", "300ms"]), "seed \(seed): progress")
            for left in ["y", "y.progress", "y.lock"] { unlink(directory.file(left)) }
        }
    }

    // MARK: - Configurations

    @Test(arguments: ["runs", "seed", "spurious", "jobs", "maxfail", "time", "total-time", "durations", "x"])
    func `an option of a file has a number of its range, or is refused with its place`(option: String) throws {
        try writePrograms()
        try directory.directory(".git")
        for number in ExtremeNumbers.decimals {
            for value in [number, option.contains("time") ? "\"\(number)s\"" : "\"\(number)\""] {
                _ = try directory.write("threadlab.toml", Array("[check]\n\(option) = \(value)\n".utf8))
                let ended = try run(["check", "good.lab", "--list"])
                holds(ended, "\(option) = \(value)")
                if ended.code != 0 { ended.complainsInOneLine(about: "threadlab.toml:2:") }
            }
        }
    }
}
