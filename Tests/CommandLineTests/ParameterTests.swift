import Testing

/// Parameters of each type, as options of a program with scenarios of its own.
@Suite struct ParameterTests {
    private static let words = ["settings", "--loud", "--greeting", "good day", "--rate", "0.5", "--hue", "green"]

    @Test func `every type is set by its option`() throws {
        try plugin(["run"] + Self.words + ["--seed", "1"]).run().succeeds().prints("good day! at 0.5 in green")
        try plugin("run", "settings", "--seed", "1").run().succeeds().prints("hello at 1.0 in red")
    }

    @Test func `a replay repeats flags and texts as a shell reads them`() throws {
        try plugin(["run"] + Self.words + ["--seed", "1"]).run().succeeds()
            .prints("settings --loud --greeting 'good day' --rate 0.5 --hue green --schedule")
    }

    @Test(arguments: [
        (["--rate", "3"], "settings: --rate 3: must be a number, from 0.1 to 2.0"),
        (["--rate", "fast"], "settings: --rate fast: must be a number, from 0.1 to 2.0"),
        (["--loud=yes"], "--loud"),
        (["--times", "10"], "--times"),
    ]) func `a value that does not fit is refused`(words: [String], sentence: String) throws {
        try plugin(["run", "settings"] + words).run().exits(with: 2).complainsInOneLine(about: sentence)
    }

    @Test func `help and the scenario's page show them`() throws {
        try plugin("run", "settings", "--help").run().succeeds().prints("--loud").prints("from 0.1 to 2.0")
        try plugin("show", "settings").run().succeeds().prints("--greeting")
    }
}
