import Arguments
import CLab
import Glibc
import Reports

/// The properties of the terminal that an output goes to, if any.
struct Terminal {
    enum ColourChoice: String, CaseIterable { case auto, always, never }

    static let colourOption = TypedOption.choice(
        "color", default: ColourChoice.auto, placeholder: "WHEN", "When to color the output")

    private let output: Int32
    let isTerminal: Bool

    /// - Parameter output: standard output, or standard error.
    init(_ output: Int32 = STDOUT_FILENO) {
        self.output = output
        isTerminal = isatty(output) == 1
    }

    /// The options of reports on this terminal.
    func reportOptions(_ color: ColourChoice) -> ReportOptions {
        var options = ReportOptions(
            width: columns, colour: usesColour(color), ascii: !drawsLines)
        options.rowWidth = isTerminal ? columns : nil
        return options
    }

    /// The width of the output, in columns.
    var columns: Int {
        let columns = Int(clab_terminal_columns(output))
        if columns > 0 { return columns }
        return Self.variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 10_000) : nil } ?? 80
    }

    /// The height of the screen. Nil: the output is not a terminal.
    var rows: Int? {
        guard isTerminal else { return nil }
        let rows = Int(clab_terminal_rows(output))
        // A terminal that does not report its size is assumed to have the usual one.
        return rows > 0 ? rows : 24
    }

    /// Decided by `--color`, then `NO_COLOR`, then `CLICOLOR_FORCE`, then whether the terminal supports colors.
    func usesColour(_ choice: ColourChoice) -> Bool {
        switch choice {
        case .always: return true
        case .never: return false
        case .auto:
            if let variable = Self.variable("NO_COLOR"), !variable.isEmpty { return false }
            if let variable = Self.variable("CLICOLOR_FORCE"), !variable.isEmpty, variable != "0" { return true }
            return isTerminal && !Self.isDumb
        }
    }

    /// Whether the terminal understands no control sequences.
    static var isDumb: Bool { variable("TERM") == "dumb" }

    /// Whether the locale's characters are UTF-8, so that lines can be drawn.
    var drawsLines: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Self.variable).first { !$0.isEmpty } ?? ""
        let name = locale.uppercased()
        return !isTerminal || name.contains("UTF-8") || name.contains("UTF8")
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
