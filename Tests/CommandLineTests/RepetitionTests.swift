import Glibc
import Support
import Testing

/// `run --runs`: many runs, counted.
@Suite struct RepetitionTests {
    /// What can be run, and the options that runs of it need.
    static let scenarios = [
        "deadlock --pause 0", "producer-consumer --variant if-for-while", "scenarios/basics/lost-update.lab",
        "scenarios/deadlock/opposite-orders.lab", "scenarios/conditions/one-condition.lab",
        "deadlock --pause 0 --timeouts any", "mishap --variant crash", "mishap --variant quit",
        "trouble --variant gamble",
        "mishap --variant leftover",
    ]

    private func run(_ words: String, _ more: String...) throws -> Ended {
        let words = words.split(separator: " ").map { $0.hasSuffix(".lab") ? "\(Repository.root)/\($0)" : String($0) }
        return try Invocation(program: Programs.plugin, arguments: ["run"] + words + ["--diagnose", "none"] + more).wide
            .run()
    }

    @Test(arguments: scenarios) func `few processes count what a process for each run counts`(scenario: String) throws {
        let one = try run(scenario, "--seed", "5", "--runs", "30", "--format", "text")
        let few = try run(scenario, "--seed", "5", "--runs", "30", "--format", "none")
        let summary = one.output.split(separator: "\n\n").last.map(String.init) ?? ""
        #expect(summary.hasPrefix("30 of 30 runs: ") && summary.contains("\nFirst seed of each: "))
        #expect(few.output.replacing(/Each run had .*\n/, with: "") == summary)
        #expect(few.code == one.code && few.errors.isEmpty)
        #expect(few.output.contains("Each run had a process") == scenario.contains("leftover"))
    }

    @Test func `each outcome is named with a seed that shows it`() throws {
        let runs = try run(Self.scenarios[0], "--seed", "1", "--runs", "1000").succeeds()
            .prints("1000 of 1000 runs: completed ")
        let firsts = try #require(runs.output.firstMatch(of: /First seed of each: (.*)\n/)).output.1
        let outcomes = firsts.split(separator: ", ").map { $0.split(separator: " ") }
        #expect(outcomes.map { $0[0] } == ["completed", "deadlock"])
        for outcome in outcomes {
            try run(Self.scenarios[0], "--seed", String(outcome[1])).succeeds().prints("\(outcome[0]): ")
        }
    }

    @Test func `beyond a hundred runs there is only a summary, unless a format was chosen`() throws {
        try threadlab("run", "deadlock", "--seed", "1", "--runs", "100").run().succeeds().prints(
            "run 100  seed 100  ")
        try threadlab("run", "deadlock", "--seed", "1", "--runs", "101").run().succeeds().doesNotPrint("  seed ")
        let json = try threadlab("run", "deadlock", "--seed", "1", "--runs", "101", "--format", "json").run()
            .succeeds().printsJSONLines()
        #expect(json.lines.count == 102)
    }

    @Test func `the trace of the most severe run is saved`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        let runs = try run(Self.scenarios[1], "--seed", "1", "--runs", "300", "--save", file).succeeds()
        let seed = try #require(runs.output.firstMatch(of: /Replay of run (\d+):/)).output.1
        #expect(directory.names == ["x.trace"])
        try plugin("trace", file).run().succeeds().prints("seed \(seed)\n").prints("assertion: ")
    }

    @Test func `one unexpected run is a finding`() throws {
        try run("mishap --variant sometimes", "--seed", "1", "--runs", "200").exits(with: 1).prints("completed ")
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `an interruption ends with a summary`(signal: Int32) throws {
        // As a shell reports a program that a signal has ended.
        let code = 128 + signal
        for toAll in [true, false] {
            try plugin("run", "mishap", "--variant", "tells", "--seed", "1", "--runs", "1000000")
                .whenItSays("searching") { toAll ? $0.signalGroup(signal) : $0.signal(signal) }.run()
                .exits(with: code).prints(" of 1000000 runs: ").prints("interrupted\n")
            try plugin("run", "trouble", "--variant", "busy", "--runs", "5")
                .whenItSays("busy") { toAll ? $0.signalGroup(signal) : $0.signal(signal) }.run()
                .exits(with: code).prints("1 of 5 runs: interrupted 1")
        }
    }
}
