import Testing
import XCTest

/// A failure of the running test, whichever library runs it.
enum TestIssue {
    /// Fails the test at the line of the call, with files that explain it.
    ///
    /// - Throws: `TestingError` if no test is running.
    static func record(_ failure: TestFailure, at place: CallPlace) throws(TestingError) {
        if Test.current != nil {
            for file in failure.files { Attachment.record(file.bytes, named: file.name) }
            Issue.record(Comment(rawValue: failure.text), sourceLocation: place.sourceLocation)
        } else if isXCTest {
            XCTFail(failure.text, file: place.filePath, line: place.line)
        } else {
            throw TestingError(failure.text)
        }
    }

    /// Whether this process runs the tests of a package. XCTest does not say whether one of them is running.
    private static var isXCTest: Bool { CommandLine.arguments.first?.hasSuffix(".xctest") ?? false }
}

extension CallPlace {
    fileprivate var sourceLocation: SourceLocation {
        SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }
}
