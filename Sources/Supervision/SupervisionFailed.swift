import Authoring
import Trace

/// An error of threadlab itself: no memory, no process, no scratch directory, or an internal inconsistency.
package struct SupervisionFailed: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// A bug in threadlab, not in the program. It is never a verdict: no result is reliable then.
    ///
    /// - Parameters:
    ///   - what: what went wrong, as a clause without its full stop.
    ///   - command: the command that reproduces it, without the program's name. Nil: only the search itself does.
    package static func internalError(_ what: String, repeatedBy command: String? = nil) -> SupervisionFailed {
        let repetition = command.map { ", the output of 'threadlab \($0)'" } ?? ""
        return SupervisionFailed(
            "internal error: \(what). This is a bug in threadlab, not in the program. "
                + "Please report it with the program\(repetition), and the output of 'threadlab --version'")
    }
}
