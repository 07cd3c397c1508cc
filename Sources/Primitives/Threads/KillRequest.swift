import Execution
import Text
import Trace

/// The word in which a thread sees that it is to end at once.
final class KillRequest: StepHook {
    private let word: Part
    private let atEnd: @Sendable () throws -> Void

    /// - Parameter atEnd: runs on the thread immediately before it ends.
    init(_ thread: String, at site: SourceSite, atEnd: @escaping @Sendable () throws -> Void = {}) {
        word = Part(.atomic, "\(thread.possessive) kill request", at: site)
        self.atEnd = atEnd
    }

    func make(at site: SourceSite) throws { try word.handle.perform(.store, 1, at: site) }

    /// The body of a thread that looks for the request before each of its operations.
    func guarding(_ body: ThreadBody) -> ThreadBody {
        .returning {
            ThreadContext.runtime.with { $0.stepHook = self }
            return try body.run()
        }
    }

    func beforeOperation() throws {
        guard try word.handle.perform(.load, at: .unknown) != 0 else { return }
        try atEnd()
        try ThreadContext.runtime.with { try $0.endAtOnce() }
    }
}
