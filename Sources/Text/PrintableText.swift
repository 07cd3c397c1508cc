/// Text made fit for a terminal, a shell's command line and a line of a report.
extension StringProtocol {
    /// The text made safe to show on a terminal, on one line: characters that would move the cursor, change colors,
    /// reverse the direction of writing or be invisible are shown like `\u{1B}`, and text of more than 200 characters
    /// is truncated.
    package var printable: String {
        let longest = 200
        // Nearly all text is plain and short, and is returned after a look at its bytes alone.
        if utf8.count <= longest, utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return String(self) }
        var shown = ""
        for scalar in unicodeScalars.prefix(longest) {
            if scalar.isHazardous {
                shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return unicodeScalars.dropFirst(longest).isEmpty ? shown : shown + "…"
    }
}

/// How a character behaves in a terminal.
extension Unicode.Scalar {
    /// Whether the character affects a terminal or the order of the text, is invisible, or has no defined appearance:
    /// controls, line separators, marks that change the direction of writing, characters without width such as U+200B,
    /// soft hyphens, tags, and private-use and unassigned characters. Messages and reports show the code point instead.
    package var isHazardous: Bool {
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return true
        // Fillers are letters that are invisible. A variation selector only chooses a form of the character before it.
        default: return properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
        }
    }

    /// The number of terminal columns that the character takes: 0 for nonspacing and enclosing marks and for format
    /// characters, 2 for wide East Asian characters and pictographs, otherwise 1.
    package var columns: Int {
        if isASCII { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide ? 2 : 1
        }
    }

    /// Whether the character is one of Hangul, kana, CJK, fullwidth forms and pictographs, which take two columns.
    private var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }

    /// The replacement of the character where only ASCII can be shown; nil if there is none.
    package var likeness: Unicode.Scalar? { self == "µ" ? "u" : nil }

    /// The symbol that shows a control character, for example ␛ for the escape; nil for other characters.
    package var controlPicture: Unicode.Scalar? {
        switch value {
        case 0...0x1F: Unicode.Scalar(0x2400 + value)
        case 0x7F: "␡"
        default: nil
        }
    }
}

extension String {
    /// The text quoted so that a shell reads it as one word: as it is if it holds only letters, digits and `-_./+,:@`;
    /// as `$'a\012b'` if it holds a hazardous character, such as this line break; otherwise between single quotation
    /// marks.
    package var quotedForShell: String {
        if unicodeScalars.contains(where: \.isHazardous) { return escapedForShell }
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-_./+,:@".utf8.contains(byte)
                }
            }
        if isPlain { return self }
        // By scalars: a quotation mark followed by a combining accent is one `Character`, but a shell reads the mark
        // alone.
        let quoted = unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined()
        return "'" + quoted + "'"
    }

    /// A file's path, quoted so that a command reads it as one word and not as an option: `./-x` for `-x`.
    package var quotedAsPath: String { (hasPrefix("-") && self != "-" ? "./" + self : self).quotedForShell }

    /// The text between `$'` and `'`. Characters with a meaning there are written as octal bytes.
    private var escapedForShell: String {
        var text = "$'"
        for scalar in unicodeScalars {
            if scalar.isHazardous || scalar == "'" || scalar == "\\" {
                text += String(scalar).utf8.map { byte in
                    let digits = String(byte, radix: 8)
                    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                }.joined()
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "'"
    }

    /// The words of a command line whose words `quotedForShell` has quoted. They still have their quotation marks;
    /// `ShellWords` removes them.
    package var shellWords: [String] {
        var words = [""]
        var isQuoted = false
        var isEscaped = false
        for scalar in unicodeScalars {
            if scalar == " " && !isQuoted && !isEscaped {
                words.append("")
                continue
            }
            if scalar == "'" && !isEscaped { isQuoted.toggle() }
            isEscaped = scalar == "\\" && !isQuoted && !isEscaped
            words[words.count - 1].unicodeScalars.append(scalar)
        }
        return words.filter { !$0.isEmpty }
    }

    /// Returns the text, or the beginning and the end of a very long one: a name of a megabyte would fill each line of
    /// a report. Long names often differ only at their ends, so both are kept.
    ///
    /// - Parameter most: the limit in Unicode scalars. A text whose bytes do not exceed it is returned as it is.
    package func shortened(to most: Int = 500) -> String {
        if utf8.count <= most || unicodeScalars.prefix(most + 1).count <= most { return self }
        var text = ""
        text.unicodeScalars += unicodeScalars.prefix(most / 2)
        text += "…"
        text.unicodeScalars += unicodeScalars.suffix(most / 2 - 1)
        return text
    }

    /// The first word of `NAME's lock`: a name that ends in s gets only the apostrophe.
    package var possessive: String { self + (hasSuffix("s") ? "'" : "'s") }
}

extension Substring {
    /// The text without the white space at both ends.
    package var trimmed: Substring {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
