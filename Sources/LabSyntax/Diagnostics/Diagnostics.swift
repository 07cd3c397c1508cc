/// Collects the problems of a file, up to a limit.
package struct Diagnostics {
    package private(set) var errors: [Diagnostic] = []
    package private(set) var warnings: [Diagnostic] = []

    /// Whether the limit of errors is reached: more would not help.
    package var isFull: Bool { errors.count >= Limits.errors }

    /// One error per place is enough: a second one is usually a consequence of the first.
    package mutating func report(_ problem: some Problem, at span: Span, notes: [Diagnostic.Note] = []) {
        guard !isFull, !errors.contains(where: { $0.span.start == span.start }) else { return }
        errors.append(
            Diagnostic(severity: .error, message: problem.message, help: problem.help, span: span, notes: notes))
        if isFull {
            let last = SyntaxProblem.tooManyErrors
            errors.append(Diagnostic(severity: .error, message: last.message, help: nil, span: span))
        }
    }

    package mutating func warn(_ problem: some Problem, at span: Span, notes: [Diagnostic.Note] = []) {
        guard warnings.count < Limits.warnings else { return }
        warnings.append(
            Diagnostic(severity: .warning, message: problem.message, help: problem.help, span: span, notes: notes))
    }

    package mutating func add(_ error: Diagnostic) { errors.append(error) }

    /// In the order of the text. If there are errors, warnings are omitted: they may be consequences.
    package var sorted: [Diagnostic] {
        (errors.isEmpty ? warnings : errors).enumerated().sorted {
            ($0.element.span.start, $0.offset) < ($1.element.span.start, $1.offset)
        }.map(\.element)
    }
}
