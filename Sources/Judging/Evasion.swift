import LabSyntax

/// A reason why the text of a submission does not solve its task, whatever its runs do: something that the task gives
/// or requires is missing or different, or the text exceeds a limit.
package struct Evasion: Equatable, Sendable {
    /// The kind of evasion, with a stable word for scripts.
    package enum Code: String, CaseIterable, Sendable {
        /// A given declaration is missing or different.
        case given
        /// A thread is missing or different, or the task does not have it.
        case thread
        /// A parameter is missing or different.
        case parameter
        /// Something that the task's claims are about is missing or different.
        case claim
        /// A declaration has a name that changes the meaning of the task's own code and claims.
        case name
        /// Threads are started, joined or detached in other ways than in the task.
        case start
        /// `progress` is used in other ways than in the task.
        case progress
        /// The text exceeds a limit.
        case limit
    }

    package var code: Code
    /// One sentence without its full stop.
    package var message: String
    package var help: String?
    /// The place in the submission.
    package var span: Span

    package init(_ code: Code, _ message: String, help: String? = nil, at span: Span) {
        self.code = code
        self.message = message
        self.help = help
        self.span = span
    }

    /// The message with the line of the submission, and a caret.
    package func text(in source: SourceText) -> String {
        Diagnostic(severity: .task, message: message, help: help, span: span).text(in: source)
    }
}
