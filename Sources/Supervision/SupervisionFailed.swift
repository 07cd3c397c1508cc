import Authoring
import Trace

/// threadlab itself could not do its work: no memory, no process, no scratch directory; or two of its parts disagree.
package struct SupervisionFailed: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// A mistake of threadlab, not of the program. Never a verdict: nothing that was found means anything then.
    ///
    /// - Parameters:
    ///   - what: what went wrong, in a clause without its full stop.
    ///   - command: what repeats it, without the program's name. Nil: only the search itself.
    static func internalError(_ what: String, repeatedBy command: String? = nil) -> SupervisionFailed {
        let repetition = command.map { ", the output of 'threadlab \($0)'" } ?? ""
        return SupervisionFailed(
            "internal error: \(what). This is a bug in threadlab, not in the program. "
                + "Please report it with the program\(repetition), and the output of 'threadlab --version'")
    }
}
