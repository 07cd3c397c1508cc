extension StringProtocol {
    /// The text made safe to show on a terminal, on one line: characters that would move the cursor, change colors,
    /// reverse the direction of writing or be invisible are shown like `\u{1B}`, and very long text is truncated.
    package var printable: String {
        let longest = 200
        // Nearly all text: so every word of a long output need not be taken apart.
        if utf8.count <= longest, utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return String(self) }
        var shown = ""
        for scalar in unicodeScalars.prefix(longest) {
            if scalar.isHarmless {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return unicodeScalars.dropFirst(longest).isEmpty ? shown : shown + "…"
    }
}

extension Unicode.Scalar {
    fileprivate var isHarmless: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
