import Synchronization
import Testing

/// What a failure of the body would have told the reader of a test's log. The body must fail.
func issueText(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) -> String {
    let text = Synchronization.Mutex("")
    do {
        try withKnownIssue(sourceLocation: sourceLocation) {
            try body()
        } matching: { issue in
            text.withLock { text in
                for comment in issue.comments { text += comment.rawValue }
                if let error = issue.error { text += "\(error)" }
            }
            return true
        }
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return text.withLock { $0 }
}

/// The line of a place in source, to compare with a reported one.
func line(_ line: Int = #line) -> Int { line }
