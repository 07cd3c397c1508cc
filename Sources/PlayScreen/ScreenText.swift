import Text

/// Text cut or wrapped to the width of a terminal, counted in columns: some characters take two, some none.
enum ScreenText {
    /// The text cut to the width, with a mark at the cut. Characters that a terminal would obey or could not show are
    /// replaced.
    static func fit(_ text: String, width: Int, ascii: Bool) -> String {
        var shown = ""
        var used = 0
        for scalar in text.unicodeScalars {
            let safe: Unicode.Scalar = scalar.isHazardous || ascii && !scalar.isASCII ? "?" : scalar
            if used + safe.columns > width {
                while used > width - 1, let last = shown.unicodeScalars.popLast() { used -= last.columns }
                return width > 0 ? shown + (ascii ? "~" : "…") : ""
            }
            shown.unicodeScalars.append(safe)
            used += safe.columns
        }
        return shown
    }

    static func columns(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// The line if it fits. Otherwise wrapped lines. If the first is indented, the others are indented by two blanks
    /// more, but at most by a quarter of the width.
    static func wrapped(_ text: String, width: Int) -> [String] {
        if columns(text) <= width { return [text] }
        let indent = text.prefix { $0 == " " }.count
        return wrap(text, width: width, hanging: indent == 0 ? 0 : min(indent + 2, width / 4))
    }

    /// The text broken between words into lines that fit, unless a word is too long. Blanks at the beginning are kept.
    ///
    /// - Parameter hanging: the number of blanks at the beginning of all lines but the first.
    static func wrap(_ text: String, width: Int, hanging: Int = 0) -> [String] {
        var lines: [String] = []
        var line = String(text.prefix { $0 == " " })
        var isEmpty = true
        for word in text.split(separator: " ") {
            let longer = isEmpty ? line + word : "\(line) \(word)"
            if !isEmpty && columns(longer) > width {
                lines.append(line)
                line = String(repeating: " ", count: hanging) + word
            } else {
                line = longer
            }
            isEmpty = false
        }
        return lines + [line]
    }
}
