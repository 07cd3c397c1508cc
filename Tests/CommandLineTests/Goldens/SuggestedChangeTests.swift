import Support
import Testing

/// What `explore --suggest` says of each broken program of the library: the change that is proved to cure it, if one is.
@Suite struct SuggestedChangeTests {
    static let programs = Repository.brokenPrograms.map(\.path).sorted()

    @Test(arguments: programs) func `a broken program has the suggestion that it had`(program: String) throws {
        let output = try threadlab("explore", program, "--suggest", "--time", "1h").wide
            .inDirectory(Repository.root).run().succeeds().output
        let change = try #require(output.firstMatch(of: /\nsuggestion: (.*)\n/)).output.1
        let proof = output.firstMatch(of: /\n  Proved with this change: (.*)\n/)?.output.1 ?? ""
        try GoldenTable.suggestions.compare(program, [change, proof])
    }
}
