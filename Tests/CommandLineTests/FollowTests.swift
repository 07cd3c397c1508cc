import Support
import Testing

/// Runs on real threads are replayed under the scheduler.
@Suite struct FollowTests {
    /// Every broken variant that can be followed, with options that keep its search short.
    static let variants = VariantCall.broken.map(\.words).filter { !unfollowable.contains(scenario(of: $0)) }.map {
        words in
        parameters.reduce(words) { $0.hasSuffix($1.variant) ? "\($0) \($1.options)" : $0 }
    }

    private static func scenario(of words: String) -> String { String(words.prefix { $0 != " " }) }

    /// Here all schedules of a variant that are found are followed: a smaller program has fewer.
    private static let parameters = [
        (variant: "producer-consumer --variant if-for-while", options: "--items 2 --consumers 2 --producers 1"),
        (variant: "producer-consumer --variant one-condition", options: "--items 1 --producers 2"),
        (
            variant: "producer-consumer --variant signal-without-lock",
            options: "--items 1 --producers 1 --consumers 1"
        ),
        (variant: "producer-consumer --variant no-lock", options: "--items 2 --producers 1 --consumers 2"),
    ]

    /// A thread looks for a kill, a signal or another process's file at moments that a native trace does not show: such a
    /// run cannot be followed, and 'replay' says so.
    static let unfollowable: Set = ["kill-or-cancel", "distributed-lock", "signals"]

    /// Every program that may fail.
    /// Without programs that continue forever: on real threads they are cut off, somewhere.
    static let files = Repository.brokenPrograms.filter { !$0.text.contains(/progress *[\n}]/) }.map(\.path).sorted()

    @Test(arguments: Extent.part(of: variants, every: 6)) func `a failure comes again by its order alone`(call: String)
        throws
    {
        try expectAgain(call.split(separator: " ").map(String.init))
    }

    @Test(arguments: Extent.part(of: files, every: 6)) func `a program's failure comes again by its order alone`(
        path: String
    ) throws {
        try expectAgain([Repository.root + "/" + path])
    }

    @Test func `there are broken programs and variants to follow`() {
        #expect(Self.files.count > 50 && Self.variants.count > 80)
    }

    /// Follows a run on real threads, however it ended; and a finding of a search, without its schedule. The trace of a
    /// native run says no more than that of a controlled one, so each failure is followed without waiting for it on
    /// real threads.
    private func expectAgain(_ call: [String]) throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        let native = try Self.outcome(["run", "--native", "--format", "none", "--save", file] + call)
        #expect(try Self.outcome(["replay", file, "--format", "none"]) == native)
        let search = ["explore", "--jobs", "1", "--runs", "5000", "--save", directory.file("found")]
        let searched = try Invocation(program: Programs.threadlab, arguments: search + call).run().exits(with: 0)
        let found = TemporaryDirectory.names(in: directory.file("found"))
        // Programs that fail only if stores are delayed do not fail here, and that is proved.
        #expect(found.isEmpty == searched.output.hasPrefix("proved: "))
        for name in found {
            let path = directory.file("found/\(name)")
            let text = try #require(Files.text(path))
            try Files.write(path, Array(Self.asOfRealThreads(text).utf8))
            let failure = try Self.outcome(["trace", path, "--format", "none"])
            #expect(failure != "completed")
            #expect(try Self.outcome(["replay", path, "--format", "none"]) == failure)
        }
    }

    /// A controlled run's trace without the choices that made it.
    private static func asOfRealThreads(_ trace: String) -> String {
        trace.replacing(/,"schedule":"[^"]*"/, with: "", maxReplacements: 1)
            .replacing("\"runtime\":\"controlled\"", with: "\"runtime\":\"native\"", maxReplacements: 1)
    }

    private static func outcome(_ arguments: [String]) throws -> String {
        let ended = try Invocation(program: Programs.threadlab, arguments: arguments).run()
        return String(try #require(ended.isSilent().output.prefixMatch(of: /[a-z-]+(?=: )/)).output)
    }

    @Test func `the schedule that is printed does the same again`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        try threadlab("run", "cancellation", "--variant", "plain-flag", "--save", file).run().succeeds()
        let replay = try threadlab("replay", file).run().succeeds().prints("race: ")
        let command = try #require(replay.output.firstMatch(of: /Replay: threadlab (.*)\n/)).output.1
        let again = try Invocation(
            program: Programs.threadlab, arguments: command.split(separator: " ").map(String.init)
        ).run().succeeds()
        #expect(again.output == replay.output)
    }

    @Test func `a run that cannot be followed says where, and how to get there`() throws {
        let directory = try TemporaryDirectory()
        let text = try threadlab("run", "shutdown", "--variant", "joinable", "--format", "json").run().succeeds().output
        let file = try directory.write(
            "x.trace", Array(text.replacing("\"thread.join\"", with: "\"thread.detach\"").utf8))
        try threadlab("replay", file).run().exits(with: 1).printsNothing()
            .complainsInOneLine(about: "cannot follow the run: event ")
            .complainsInOneLine(about: "but the thread reaches thread.join; 'threadlab replay shutdown ")
    }

    @Test func `a trace that lacks its beginning cannot be followed`() throws {
        let directory = try TemporaryDirectory()
        let text = try threadlab("run", "shutdown", "--variant", "joinable", "--format", "json").run().succeeds().output
        var lines = text.split(separator: "\n")
        lines.insert("{\"dropped\":3}", at: 1)
        let file = try directory.write("x.trace", Array(lines.joined(separator: "\n").utf8))
        try threadlab("replay", file).run().exits(with: 2).printsNothing().complainsInOneLine(about: "lacks 3 events")
    }
}
