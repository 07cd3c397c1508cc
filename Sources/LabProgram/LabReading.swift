import LabSyntax

/// The result of reading a `.lab` file: of parsing it, resolving its names and checking its types.
package struct LabReading: Sendable {
    /// Nil if there is an error.
    package let program: Program?
    /// Errors and warnings, in the order of the text.
    package let diagnostics: [Diagnostic]

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

extension SourceText {
    /// Reads the text as a `.lab` file.
    ///
    /// - Parameters:
    ///   - builtIns: the scenarios that `run` may name. Nil: any.
    ///   - options: the names of the command line's own options. A parameter with such a name is an error: the command
    ///     line could not set it.
    package func read(builtIns: [KnownScenario]? = nil, options: Set<String> = []) -> LabReading {
        let syntax = syntax()
        guard let file = syntax.file else { return LabReading(program: nil, diagnostics: syntax.diagnostics.sorted) }
        var checker = Checker(self, builtIns: builtIns, options: options, after: syntax)
        checker.check(file)
        let isRight = checker.diagnostics.errors.isEmpty
        return LabReading(program: isRight ? checker.program : nil, diagnostics: checker.diagnostics.sorted)
    }
}
