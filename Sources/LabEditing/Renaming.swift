import LabProgram
import LabSyntax

/// A name cannot be changed as the user wishes.
package struct RenamingRefused: Error, CustomStringConvertible {
    /// A sentence without its full stop.
    package let reason: String

    package var description: String { reason }
}

extension EditedProgram {
    /// The places at which the text must be replaced in order to rename a declaration.
    ///
    /// To find conflicts, the changed text is parsed and checked. It must have diagnostics on the same lines, and of
    /// the same severities, as the text now.
    ///
    /// - Throws: `RenamingRefused`, if the changed text has other diagnostics, or if the new name is not a valid one.
    package func renaming(_ name: DeclaredName, to text: String) throws(RenamingRefused) -> [Span] {
        guard text.wholeMatch(of: /[A-Za-z_][A-Za-z_0-9]*/) != nil, text != "_" else {
            throw RenamingRefused(
                reason: "'\(text)' is not a name: a name has letters, digits and '_', and begins with a letter")
        }
        guard !Keyword.reservedWords.contains(text) else {
            throw RenamingRefused(reason: "'\(text)' is a word of the language")
        }
        let places = uses(of: name)
        if text == name.name.text { return places }
        let changed = SourceText(name: source.name, bytes(replacing: places, with: text))
        let before = source.read().diagnostics.map { Complaint($0, source) }
        let after = changed.read().diagnostics.map { Complaint($0, changed) }
        // Only lines and severities are compared, because a message may contain the name.
        guard before.map(\.line) == after.map(\.line), before.map(\.severity) == after.map(\.severity) else {
            // The first diagnostic that is new, as far as the lines show it.
            let first = zip(after, before).first { $0.line != $1.line }?.0 ?? after.dropFirst(before.count).first
            throw RenamingRefused(reason: first?.message ?? "the program would not be the same")
        }
        return places
    }

    /// What matters of a diagnostic.
    private struct Complaint {
        let line: Int
        let severity: Diagnostic.Severity
        let message: String

        init(_ diagnostic: Diagnostic, _ source: SourceText) {
            line = source.site(of: diagnostic.span.start).line
            severity = diagnostic.severity
            message = diagnostic.message
        }
    }

    private func bytes(replacing places: [Span], with text: String) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        for place in places {
            result += source.bytes[position..<place.start] + Array(text.utf8)
            position = place.end
        }
        return result + source.bytes[position...]
    }
}
