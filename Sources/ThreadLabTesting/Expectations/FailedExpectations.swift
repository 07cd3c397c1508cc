import Execution
import Testing
import Trace

/// The failures of `#expect` and `#require` in an execution of a closure. They end the execution like a failed `check`,
/// although `#expect` cannot throw.
///
/// It has no lock: a search runs one execution at a time, and all threads of an execution are fibers on the thread of
/// the search.
final class FailedExpectations: @unchecked Sendable {
    /// The collector of the search or replay to which the calling code belongs.
    @TaskLocal static var current: FailedExpectations?

    /// The call of the library. Sites can name places in its file only, because they need a file name that is a
    /// constant.
    private let place: CallPlace
    /// The first failure of the execution.
    private(set) var first: AssertionFailed?

    init(at place: CallPlace) { self.place = place }

    /// Begins a new execution.
    func begin() { first = nil }

    /// Notes a failure of the current execution.
    fileprivate func note(_ issue: Issue) {
        let failure = AssertionFailed(text(issue), at: site(issue))
        ThreadContext.runtime.with { runtime in
            if runtime.isRecording { runtime.record(.note, 0, text: failure.description, at: failure.site) }
        }
        if first == nil { first = failure }
    }

    /// The comments, and then the expectation with its values.
    private func text(_ issue: Issue) -> String {
        let comments = issue.comments.map(\.rawValue)
        var text = "\(issue.kind)"
        if text.hasPrefix(Self.usualStart) { text.removeFirst(Self.usualStart.count) }
        let elsewhere = isInCallersFile(issue) ? nil : issue.sourceLocation.map { "at \($0.fileName):\($0.line)" }
        return (comments + [text] + [elsewhere].compactMap(\.self)).joined(separator: ": ")
    }

    private static let usualStart = "Expectation failed: "

    private func isInCallersFile(_ issue: Issue) -> Bool { issue.sourceLocation?.fileID == "\(place.fileID)" }

    /// The line of the expectation, if it is in the file that calls the library.
    private func site(_ issue: Issue) -> SourceSite {
        guard isInCallersFile(issue), let line = issue.sourceLocation?.line else { return .unknown }
        return SourceSite(place.fileID, UInt(line))
    }
}

extension FailedExpectations {
    /// Does the work, and collects the failures in explored code. They do not fail the test themselves: the search's
    /// finding does.
    func collect<Result>(during work: () throws -> Result) throws -> Result {
        guard let test = Test.current, let testCase = Test.Case.current else { return try work() }
        let trait: IssueHandlingTrait = .compactMapIssues { [self] issue in
            guard ThreadContext.isInRun, !issue.isWarning else { return issue }
            note(issue)
            return nil
        }
        return try CallersThread.run(work) { work in
            try await trait.provideScope(for: test, testCase: testCase) {
                Self.$current.withValue(self) { work() }
            }
        }
    }
}

extension Issue {
    fileprivate var isWarning: Bool {
        #if compiler(>=6.3)
            severity < .error
        #else
            false
        #endif
    }
}

/// The failure that `#require` states by throwing. On real threads the test also has an issue, which says more.
extension ExpectationFailedError: StatedFailure {
    package var failure: AssertionFailed {
        let place = expectation.sourceLocation
        return FailedExpectations.current?.first
            ?? AssertionFailed("#require at \(place.fileName):\(place.line) failed", at: .unknown)
    }
}
