/// An error or a warning, with its place in the file.
package struct Diagnostic: Error, Equatable, Sendable {
    package enum Severity: String, Sendable { case error, warning }

    /// A related place.
    package struct Note: Equatable, Sendable {
        package var message: String
        package var span: Span

        package init(message: String, span: Span) {
            self.message = message
            self.span = span
        }
    }

    package var severity: Severity
    /// One sentence.
    package var message: String
    /// How to fix it.
    package var help: String?
    package var span: Span
    package var notes: [Note]

    package init(severity: Severity, message: String, help: String?, span: Span, notes: [Note] = []) {
        self.severity = severity
        self.message = message
        self.help = help
        self.span = span
        self.notes = notes
    }
}
