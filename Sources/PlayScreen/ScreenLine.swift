import Text

/// A piece of text at a place of the screen, safe to show and cut to its room.
package struct ScreenLine: Equatable, Sendable {
    package enum Style: Equatable, Sendable { case plain, bold, dim, reverse }

    package var row: Int
    package var column: Int
    package var text: String
    package var style: Style

    /// - Parameters:
    ///   - text: any text: what could move the cursor or change colors is made visible.
    ///   - width: the room for it, in columns.
    init(_ text: String, row: Int, column: Int, width: Int, style: Style = .plain, ascii: Bool) {
        self.row = row
        self.column = column
        self.style = style
        self.text = ScreenText.fit(text, width: width, ascii: ascii)
    }
}
