import Text

/// A piece of text at a place on the screen, safe to print, and cut to its width.
package struct ScreenLine: Equatable, Sendable {
    package struct Style: Equatable, Sendable {
        package var isBold = false
        package var isDim = false
        package var isReverse = false
        /// The number of the terminal's color. Nil: its text color.
        package var color: Int?

        package static let plain = Style()
        package static let bold = Style(isBold: true)
        package static let dim = Style(isDim: true)
        package static let reverse = Style(isReverse: true)
        /// Green.
        package static let good = Style(isBold: true, color: 2)
        /// Red.
        package static let bad = Style(isBold: true, color: 1)
    }

    package var row: Int
    package var column: Int
    package var text: String
    package var style: Style

    /// - Parameters:
    ///   - text: any text. Characters that could move the cursor or change colors are made visible.
    ///   - width: the available width, in columns.
    init(_ text: String, row: Int, column: Int, width: Int, style: Style = .plain, ascii: Bool) {
        self.row = row
        self.column = column
        self.style = style
        self.text = ScreenText.fit(text, width: width, ascii: ascii)
    }
}

extension ScreenLine.Style {
    /// The style that an escape sequence of a report sets, such as `ESC [ 1 ; 31 m`, given without `ESC [` and `m`: 1
    /// is bold, 2 dim, 30 to 37 are colors, and 90 to 97 the bright ones, which have the numbers 8 to 15.
    init(sequence: Substring) {
        for number in sequence.split(separator: ";").compactMap({ Int($0) }) {
            switch number {
            case 1: isBold = true
            case 2: isDim = true
            case 30...37: color = number - 30
            case 90...97: color = number - 82
            default: break
            }
        }
    }

    /// A line of a report, split at its escape sequences: each piece with the style that the sequence before it sets.
    static func pieces(of line: String) -> [(text: Substring, style: ScreenLine.Style)] {
        var pieces: [(Substring, ScreenLine.Style)] = []
        for (index, part) in line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated() {
            guard index > 0, let end = part.firstIndex(of: "m") else {
                pieces.append((part, .plain))
                continue
            }
            pieces.append((part[part.index(after: end)...], ScreenLine.Style(sequence: part[..<end])))
        }
        return pieces.filter { !$0.0.isEmpty }
    }
}
