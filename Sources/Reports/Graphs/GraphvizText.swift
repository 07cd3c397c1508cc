import Text

/// Text in Graphviz's language.
package enum GraphvizText {
    /// Lines in quotes, so that nothing in them means anything to Graphviz.
    package static func quoted(_ lines: [String]) -> String {
        let escaped = lines.map {
            $0.printable.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        }
        return "\"\(escaped.joined(separator: "\\n"))\""
    }
}
