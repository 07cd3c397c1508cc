import Support
import Testing

/// How many states and moves programs have, with the reduction and without.
@Suite struct StateCountTests {
    static let folder = "\(Goldens.folder)/programs"
    static let buffer = "\(folder)/buffer.lab"

    static let programs = [
        buffer, "\(buffer) --all-states", "\(buffer) --threads 3 --items 4 --capacity 2", "\(folder)/counter.lab",
        "\(folder)/philosophers.lab",
    ]

    @Test(arguments: programs) func `a program has the states that it had`(words: String) throws {
        let arguments =
            ["explore"] + words.split(separator: " ").map(String.init) + ["--strategy", "states", "--format", "json"]
        let output = try Invocation(program: Programs.threadlab, arguments: arguments + ["--time", "1h"])
            .inDirectory(Repository.root).run().succeeds().prints("\"conclusion\":\"proved\"").output
        let (_, states, moves) = try #require(output.firstMatch(of: /"states":(\d+),"moves":(\d+),/)).output
        try GoldenTable.states.compare(words, [states, moves])
    }
}
