import Text

/// A text that is safe to print, and its width in columns of a terminal. A wide character takes two columns.
struct Label: Equatable, Sendable {
    private(set) var text: String
    private(set) var width: Int

    /// - Parameters:
    ///   - text: any text. Control characters are made visible.
    ///   - ascii: whether characters other than ASCII are replaced by similar ones or by escapes.
    init(_ text: String, ascii: Bool = false) {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            self.text = text
            width = text.utf8.count
            return
        }
        self.text = ""
        width = 0
        for scalar in text.unicodeScalars { append(scalar, ascii: ascii) }
    }

    /// - Parameter safe: part of a label's text, or threadlab's own text. It is not changed.
    init(safe part: some StringProtocol) {
        text = String(part)
        width = part.unicodeScalars.reduce(0) { $0 + $1.columns }
    }

    static let empty = Label("")

    /// The two labels with nothing between them.
    static func + (a: Label, b: Label) -> Label {
        var sum = a
        sum.text += b.text
        sum.width += b.width
        return sum
    }

    private mutating func append(_ scalar: Unicode.Scalar, ascii: Bool) {
        if scalar.isHazardous || (ascii && !scalar.isASCII) {
            let shown = ascii ? scalar.likeness : scalar.controlPicture
            let escape = shown.map(String.init) ?? "\\u{\(String(scalar.value, radix: 16))}"
            text += escape
            width += escape.unicodeScalars.count
        } else {
            text.unicodeScalars.append(scalar)
            width += scalar.columns
        }
    }

    /// The label cut to this width, with a mark at the cut.
    func clipped(to limit: Int, ascii: Bool = false) -> Label {
        guard width > limit else { return self }
        guard limit > 0 else { return .empty }
        var clipped = Label.empty
        for scalar in text.unicodeScalars {
            if clipped.width + scalar.columns > limit - 1 { break }
            clipped.text.unicodeScalars.append(scalar)
            clipped.width += scalar.columns
        }
        clipped.text += ascii ? "~" : "…"
        clipped.width += 1
        return clipped
    }
}

extension Label {
    /// The label in lines of at most this width, broken between words where possible. Nothing is left out.
    ///
    /// - Parameter limit: the width in columns, at least 1. Nil: one line, however long.
    func pieces(within limit: Int?) -> [Label] {
        guard let limit, width > limit else { return [self] }
        var pieces: [Label] = []
        var line = Label.empty
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            var rest = Label(safe: word)
            let isFirst = line.width == 0
            if !isFirst && line.width + 1 + rest.width <= limit {
                line = line + Label(" ") + rest
                continue
            }
            if !isFirst { pieces.append(line) }
            while rest.width > limit {
                let (head, tail) = rest.split(at: limit)
                pieces.append(head)
                rest = tail
            }
            line = rest
        }
        if line.width > 0 || pieces.isEmpty { pieces.append(line) }
        return pieces
    }

    var widestWord: Int { text.split(separator: " ").reduce(0) { max($0, Label(safe: $1).width) } }

    /// The label cut in the middle to this width, because names differ most at their ends.
    func clippedInMiddle(to limit: Int, ascii: Bool) -> Label {
        // In up to four columns, only the beginning is shown.
        guard width > limit, limit > 4 else { return clipped(to: limit, ascii: ascii) }
        let end = (limit - 1) / 2
        let tail = split(at: width - end).tail
        return split(at: limit - 1 - tail.width).head + Label(safe: ascii ? "~" : "…") + tail
    }

    /// The part that fits into the columns, but at least one character; and the rest.
    private func split(at column: Int) -> (head: Label, tail: Label) {
        var headWidth = 0
        var index = text.unicodeScalars.startIndex
        while index < text.unicodeScalars.endIndex {
            let columns = text.unicodeScalars[index].columns
            if headWidth > 0 && headWidth + columns > column { break }
            headWidth += columns
            index = text.unicodeScalars.index(after: index)
        }
        return (Label(safe: text[..<index]), Label(safe: text[index...]))
    }
}
