import Arguments
import Reports

/// The options of commands that print traces: how much of one is shown, and how wide.
struct RowOptions: OptionGroup {
    let width = TypedOption.integer(
        "width", in: 20...10_000,
        "Width of the output in columns, by default the terminal's; unlimited in a file or pipe")
    let all = TypedOption.flag("all", "Show every step of a long trace, repeated cycles included")
    let code = TypedOption.flag("code", "Show the source line beside each step of the lanes")

    /// The maximum number of rows on a terminal. Earlier output scrolls away.
    fileprivate static let mostRows = 200
}

extension TypedArguments<RowOptions> {
    /// - Parameter options: the options without these; their row width is nil if output goes to a file or a pipe.
    func apply(to options: inout ReportOptions) {
        options.showsCode = self.code
        options.foldsCycles = !self.all
        options.mostRows = self.all || options.rowWidth == nil ? nil : RowOptions.mostRows
        guard let chosen = self.width else { return }
        options.width = chosen
        options.rowWidth = chosen
    }
}
