import Arguments
import Reports

extension Session {
    /// How reports are to look, by the terminal and the option `--color`.
    func reportOptions(_ arguments: ParsedArguments) -> ReportOptions {
        var options = ReportOptions(
            width: terminal.columns,
            colour: terminal.usesColour(Terminal.ColourChoice(rawValue: arguments.text("color")!)!),
            ascii: !terminal.drawsLines)
        options.program = program
        return options
    }
}
