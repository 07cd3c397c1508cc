import Testing

@testable import ThreadLabTesting

/// Names of files and tests in what a failure says.
@Suite struct ReportedNameTests {
    @Test func attachmentIsNamedAfterItsTest() {
        #expect(RunningTest.fileName("trace.txt") == "attachmentIsNamedAfterItsTest-trace.txt")
    }

    @Test func `a sentence as a name has hyphens / and no other signs`() {
        #expect(RunningTest.fileName("trace.txt") == "a-sentence-as-a-name-has-hyphens-and-no-other-signs-trace.txt")
    }

    @Test func filterChoosesTheTest() throws {
        let place = CallPlace(fileID: #fileID, filePath: #filePath, line: #line, column: #column, function: #function)
        let filter = try #require(RunningTest.filter(at: place))
        #expect(filter == #"ThreadLabTestingTests\.ReportedNameTests/filterChoosesTheTest\(\)"#)
        #expect(try "\(#require(Test.current).id)".contains(Regex(filter)))
    }

    @Test func `a filter needs no quotes of a shell: it's in them`() throws {
        let place = CallPlace(fileID: #fileID, filePath: #filePath, line: #line, column: #column, function: #function)
        let filter = try #require(RunningTest.filter(at: place))
        #expect(!filter.contains("'"))
        #expect(try "\(#require(Test.current).id)".contains(Regex(filter)))
    }

    @Test func `a file has its path in the package, also beside others of its name`() {
        let sources = PackageSources(around: #filePath)
        #expect(sources.path(of: #fileID) == "Tests/ThreadLabTestingTests/ReportedNameTests.swift")
        #expect(sources.path(of: "threadlab/main.swift") == "Sources/threadlab/main.swift")
        #expect(sources.path(of: "nowhere/main.swift") == nil)
        #expect(sources.path(of: "threadlab/NoSuchFile.swift") == nil)
    }

    @Test func `a file outside of every package has no path`() {
        #expect(PackageSources(around: "/nowhere/Test.swift").path(of: "Module/Test.swift") == nil)
    }
}
