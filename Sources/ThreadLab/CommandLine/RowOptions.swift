import Arguments
import Reports

/// The options of commands that print traces: how much of one is shown, and how wide.
enum RowOptions {
    private static let width = TypedOption.integer(
        "width", in: 20...10_000,
        "Width of the output in columns, by default the terminal's; unlimited in a file or pipe")
    private static let all = TypedOption.flag("all", "Show every step of a long trace, repeated cycles included")
    private static let code = TypedOption.flag("code", "Show the source line beside each step of the lanes")

    static let options: [any OptionDeclaration] = [width, all, code]

    /// The maximum number of rows on a terminal. Earlier output scrolls away.
    private static let mostRows = 200

    /// - Parameter options: the options without these; their row width is nil if output goes to a file or a pipe.
    static func apply(_ arguments: ParsedArguments, to options: inout ReportOptions) {
        options.showsCode = arguments[code]
        options.foldsCycles = !arguments[all]
        options.mostRows = arguments[all] || options.rowWidth == nil ? nil : mostRows
        guard let chosen = arguments[width] else { return }
        options.width = chosen
        options.rowWidth = chosen
    }
}
