import Scenarios
import Support
import Testing

/// What ran on real threads is replayed under the scheduler.
@Suite struct FollowTests {
    /// Every broken variant, with options that make it fail at once, or soon.
    static let variants = [
        "deadlock --variant self", "deadlock --variant opposite-orders --pause 50ms",
        "deadlock --variant ring --pause 50ms", "deadlock --variant philosophers --pause 50ms",
        "deadlock --variant try-lock --attempts 1 --pause 20ms",
        "producer-consumer --variant if-for-while --items 200 --consumers 3",
        "producer-consumer --variant one-condition --items 200",
        "producer-consumer --variant signal-without-lock --items 1000 --producers 1 --consumers 1",
        "producer-consumer --variant no-lock --items 30",
        "cancellation --variant never-checks", "cancellation --variant plain-flag",
        "shutdown --variant detached", "shutdown --variant forgotten-join", "shutdown --variant join-self",
        "shutdown --variant join-twice", "shutdown --variant late-detach",
        "priority-inversion --variant plain --pieces 20",
    ]

    /// Every program that may end otherwise than well.
    static let files = Repository.brokenPrograms.map(\.path).sorted()

    /// How often a program runs that does not want to fail. Whatever its last run came to must come again.
    private static let patience = 5

    @Test(arguments: variants) func `a failure on real threads comes again under the scheduler`(call: String) throws {
        try expectAgain(call.split(separator: " ").map(String.init), times: Self.patience)
    }

    /// What hardly ever fails gets pauses between its steps.
    @Test(arguments: files) func `a program's failure on real threads comes again under the scheduler`(path: String)
        throws
    {
        if try expectAgain([Repository.root + "/" + path], times: Self.patience) != "completed" { return }
        let directory = try TemporaryDirectory()
        let text = try #require(Repository.text(of: path))
        let slow = try directory.write("slow.lab", Array(withPauses(text).utf8))
        try expectAgain([slow], times: 4 * Self.patience)
    }

    @Test func `no broken variant is left out`() {
        #expect(Self.files.count > 50)
        for scenario in Catalogue.builtIn {
            for variant in Self.broken(scenario) {
                let words = "\(scenario.name) --variant \(variant)"
                #expect(Self.variants.contains { "\($0) ".hasPrefix("\(words) ") }, "\(words)")
            }
        }
    }

    private static func broken<S: Scenario>(_ type: S.Type) -> [String] {
        S.Variant.allCases.filter { !$0.expectation.findings.isEmpty }.map(\.argument)
    }

    /// Runs something until it fails, and then under the scheduler.
    ///
    /// - Returns: what it came to.
    @discardableResult
    private func expectAgain(_ call: [String], times: Int) throws -> String {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        let run = ["run", "--native", "--format", "none", "--trace", file]
        var native = "completed"
        for _ in 0..<times where native == "completed" { native = try Self.outcome(run + call) }
        #expect(try Self.outcome(["replay", file, "--format", "none"]) == native)
        return native
    }

    private static func outcome(_ arguments: [String]) throws -> String {
        let ended = try Invocation(program: Programs.threadlab, arguments: arguments).run().isSilent()
        return String(try #require(ended.output.prefixMatch(of: /[a-z-]+(?=: )/)).output)
    }

    @Test func `the schedule that is printed does the same again`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        try threadlab("run", "cancellation", "--variant", "plain-flag", "--trace", file).run().succeeds()
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
            .complainsInOneLine(about: "the run cannot be followed: event ")
            .complainsInOneLine(about: "but the thread comes to thread.join; 'threadlab replay shutdown ")
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
