import Machine
import Trace
import Views

/// What the screen shows besides sentences.
extension PlaySession {
    /// The threads that can step now.
    package var enabled: [Int] {
        if !run.isControlled { return position < run.last ? [nextRecordedThread] : [] }
        return moment.map { $0.isQuiet ? [] : $0.enabled } ?? []
    }

    package func hasEnded(_ thread: Int) -> Bool { present.graph.hasEnded(ThreadID(thread)) }

    /// All threads that are neither able to step nor over.
    package var blocked: [Int] { threads.filter { !enabled.contains($0) && !hasEnded($0) } }

    /// The thread that took the last step.
    package var lastThread: Int? {
        run.trace.events[..<eventCount].last { $0.site != .unknown }.map { Int($0.thread.index) }
    }

    /// All lines of the file.
    package func lines(ofFile file: String) -> [Substring] { program.lines(file) }

    /// Whether a single digit answers the open question.
    package var takesOneDigit: Bool {
        switch question {
        case nil, .quiet: true
        case .way(_, let count): count <= 10
        case .whichThread: threads.count <= 10
        case .whoCanStep: false
        }
    }
}
