import Text

/// A text made safe to show, and its width in columns.
struct Label: Equatable, Sendable {
    private(set) var text: String
    private(set) var width: Int

    /// - Parameter text: any text. Control characters are made visible.
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

    /// - Parameter safe: part of a label's text, or text of this program's own.
    init(safe part: some StringProtocol) {
        text = String(part)
        width = part.unicodeScalars.reduce(0) { $0 + $1.columns }
    }

    static let empty = Label("")

    /// Both, with nothing between them.
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

    /// The label cut to at most this width; the cut is marked.
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
