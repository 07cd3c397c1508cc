import Support
import Testing

/// An error that nothing catches is printed as it describes itself. One that does not would be printed as a value of Swift, with the names of
/// its fields.
@Suite struct ErrorWordsTests {
    /// These never leave the code that throws them, or its caller, which says what they mean.
    private static let caught: Set<String> = [
        "Sources/Exploration/States/StateMap.swift TooLarge", "Sources/LabProgram/Checking/Checker.swift Refused",
        "Sources/LabProgram/Program/Expression.swift Failure", "Sources/LabProgram/Program/Expression.swift NoResult",
        "Sources/LabSyntax/Parsing/Parser.swift Refused", "Sources/Supervision/Search/Divided/JoinedSearch.swift Flaw",
        "Sources/Text/Quantities.swift Problem",
        // A person's wish, which is followed; the end of a thread; a call of a model that has to wait.
        "Sources/Play/PlaySession.swift PlayInterrupted", "Sources/Execution/Interface/Errors.swift ThreadExit",
        "Sources/ThreadLabTesting/Operations/OperationList.swift MustWait",
        "Sources/Scenarios/Synchronization/Synchronized.swift Refused",
    ]

    @Test func `each error says in words what is wrong`() throws {
        let declaration = /(?:struct|enum|class) (\w+): ([^{]*)\{/
        var silent: Set<String> = []
        for path in Repository.paths(in: "Sources", ending: ".swift") {
            for match in try #require(Repository.text(of: path)).matches(of: declaration) {
                let bases = match.2.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
                // A 'Problem' of a '.lab' file has a message, and becomes a 'Diagnostic'.
                guard bases.contains("Error"), !bases.contains("CustomStringConvertible") else { continue }
                silent.insert("\(path) \(match.1)")
            }
        }
        #expect(silent == Self.caught)
    }
}
