extension SourceText {
    /// The text in its canonical form: its meaning and its comments are unchanged.
    ///
    /// - Throws: the errors of a text that is not well-formed. Names and types do not matter.
    package func formatted() throws(Unformatted) -> String {
        let (file, parser) = parsed()
        guard file != nil, parser.diagnostics.errors.isEmpty else {
            throw Unformatted(diagnostics: parser.diagnostics.sorted)
        }
        var formatter = SourceFormatter(parser)
        return formatter.format()
    }
}

/// Why a text cannot be formatted.
package struct Unformatted: Error {
    package let diagnostics: [Diagnostic]
}
