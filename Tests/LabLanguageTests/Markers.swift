import LabProgram
import LabSyntax

/// A program's `//!` lines about the line above them:
/// ```
///     let seen = cuont
/// //!            ^~~~~ error: there is no variable 'cuont' | did you mean 'count'?
/// ```
/// The carets mark the columns. Columns 1 to 3, which have the slashes, are written as `//!@1`, with no width.
struct Marker: Equatable, CustomStringConvertible {
    var line: Int
    var column: Int
    var width: Int?
    var text: String

    var description: String { "\(line):\(column)\(width.map { "+\($0)" } ?? "") \(text)" }

    static func expected(in program: String) -> [Marker] {
        var markers: [Marker] = []
        var subject = 0
        for (number, line) in program.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let marker = Marker(String(line), at: subject) {
                markers.append(marker)
            } else {
                subject = number + 1
            }
        }
        return markers
    }

    static func found(in program: String) -> [Marker] {
        let source = SourceText(name: "test.lab", program)
        return source.read().diagnostics.map { diagnostic in
            let site = source.site(of: diagnostic.span.start)
            let end = source.site(of: diagnostic.span.end)
            return Marker(
                line: site.line, column: site.column, width: max(1, end.column - site.column),
                text: "\(diagnostic.severity.rawValue): \(diagnostic.message)"
                    + (diagnostic.help.map { " | \($0)" } ?? ""))
        }
    }

    init(line: Int, column: Int, width: Int?, text: String) {
        self.line = line
        self.column = column
        self.width = width
        self.text = text
    }

    /// Nil: the line is not a marker.
    private init?(_ text: String, at line: Int) {
        let bytes = Array(text)
        guard text.hasPrefix("//!") else { return nil }
        self.line = line
        if bytes.count > 4, bytes[3] == "@" {
            let digits = bytes[4...].prefix { $0.isNumber }
            column = Int(String(digits)) ?? 0
            self.text = String(bytes[(4 + digits.count)...].drop { $0 == " " })
        } else {
            guard let caret = bytes.firstIndex(of: "^") else { return nil }
            let carets = bytes[caret...].prefix { $0 == "^" || $0 == "~" }
            column = caret + 1
            width = carets.count
            self.text = String(bytes[carets.endIndex...].drop { $0 == " " })
        }
    }

    static func == (a: Marker, b: Marker) -> Bool {
        a.line == b.line && a.column == b.column && a.text == b.text
            && (a.width == nil || b.width == nil || a.width == b.width)
    }
}
