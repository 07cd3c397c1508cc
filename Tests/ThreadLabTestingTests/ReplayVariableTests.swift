import Authoring
import Testing

@testable import ThreadLabTesting

/// `THREADLAB_REPLAY`.
@Suite struct ReplayVariableTests {
    /// What a call in line 24 does in this environment.
    private static func explored(
        _ variable: String, expecting expected: OutcomeKind = .completed, _ search: ScheduleSearch = .automatic
    ) throws -> ExplorationResult {
        let place = CallPlace(fileID: #fileID, filePath: #filePath, line: 24, column: 1, function: #function)
        let program = ClosureProgram(expected) { try ExploreInTestsTests.oppositeOrders() }
        let environment = try EnvironmentSettings(["THREADLAB_REPLAY": variable])
        return try TestedSearch(program, SearchRequest(search: search), place, environment).run()
    }

    @Test(arguments: [ScheduleSearch.automatic, .exhaustive])
    func `a call repeats the schedule, and tries no other`(_ search: ScheduleSearch) throws {
        let result = try Self.explored("0x2,1x2", expecting: .deadlock, search)
        #expect(result.executions == 1 && result.steps == 4)
        #expect(result.findings.map(\.schedule) == ["0x2,1x2"])
        #expect(!result.triedEveryOrder)
    }

    @Test func `the failure is that of the search`() {
        #expect(issueText { _ = try Self.explored("0x2,1x2") }.hasPrefix("deadlock: "))
    }

    @Test func `a schedule that does not fit fails the test, and one that cannot be read is an error`() {
        #expect(issueText { _ = try Self.explored("0x2,7") }.contains("does not fit any more: choice 3"))
        let error = #expect(throws: TestingError.self) { try Self.explored("left") }
        #expect(error?.description.hasPrefix("the schedule 'left' cannot be read: ") == true)
    }

    @Test func `with a line, only the call in that line repeats it`() throws {
        #expect(try Self.explored("24:0x2,1x2", expecting: .deadlock).executions == 1)
        #expect(try Self.explored("25:0x2,1x2", expecting: .deadlock).executions > 1)
    }

    @Test func `a failure shows the line for a shell, which chooses the test`() {
        let text = issueText { try explore { try ExploreInTestsTests.oppositeOrders() } }
        let command = "THREADLAB_REPLAY=0x2,1x2 swift test --filter 'ThreadLabTestingTests\\.ReplayVariableTests/"
        // A long line is continued as a shell continues one.
        let line = text.replacing("\\\n", with: "")
        #expect(line.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(command))
    }

    @Test func `what happens before the first step has a line of its own`() {
        #expect(ReplayRequest.command("", "X", line: 24) == "THREADLAB_REPLAY=24: swift test --filter 'X'")
        #expect(ReplayRequest("24:").schedule(line: 24) == "")
        #expect(ReplayRequest("24:").schedule(line: 25) == nil)
        #expect(ReplayRequest("0x2=1").schedule(line: 25) == "0x2=1")
    }
}
