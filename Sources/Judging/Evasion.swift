import LabSyntax

/// A way in which a submission is not a solution of its task, whatever its runs do: what the task gives or requires is missing or
/// different, or a limit is not kept.
package struct Evasion: Equatable, Sendable {
    /// The stable words for scripts.
    package enum Code: String, CaseIterable, Sendable {
        /// What is given is missing or different.
        case given
        /// A thread is missing, different, or not the task's.
        case thread
        case parameter
        /// The task's claims are about something that is missing or different.
        case claim
        /// A name would change what the task's own code and claims mean.
        case name
        /// Threads are started, joined or detached in another way than in the task.
        case start
        /// `progress` in another way than in the task.
        case progress
        /// A limit that the text shows not to be kept.
        case limit
    }

    package var code: Code
    /// One sentence without its full stop.
    package var message: String
    package var help: String?
    /// In the submission.
    package var span: Span

    package init(_ code: Code, _ message: String, help: String? = nil, at span: Span) {
        self.code = code
        self.message = message
        self.help = help
        self.span = span
    }

    /// With the line of the submission, and a caret.
    package func text(in source: SourceText) -> String {
        Diagnostic(severity: .task, message: message, help: help, span: span).text(in: source)
    }
}
