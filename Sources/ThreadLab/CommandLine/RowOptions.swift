import Arguments
import Reports

/// The options of commands that print traces: how much of one is shown, and how wide.
enum RowOptions {
    private static let width = TypedOption.integer(
        "width", in: 20...10_000, "Columns to fit output into (default: the terminal's; a file or pipe: no limit)")
    private static let all = TypedOption.flag("all", "Show every step of a long trace, repeated cycles included")
    private static let code = TypedOption.flag("code", "Show the line of source beside each step of the lanes")

    static let options: [any OptionDeclaration] = [width, all, code]

    /// The most rows on a terminal. What comes before them scrolls away.
    private static let mostRows = 200

    /// - Parameter columns: the terminal's. Nil: output goes to a file or a pipe.
    static func apply(_ arguments: ParsedArguments, columns: Int?, to options: inout ReportOptions) {
        let chosen = arguments[width]
        if let chosen { options.width = chosen }
        options.rowWidth = chosen ?? columns
        options.showsCode = arguments[code]
        if arguments[all] {
            options.foldsCycles = false
        } else {
            options.mostRows = columns == nil ? nil : mostRows
        }
    }
}
