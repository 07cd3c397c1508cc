import Text

/// An error, a warning, or a violation of a task's limits, with its place in the file.
package struct Diagnostic: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        case error, warning
        /// A violation of a task's limits.
        case task
    }

    /// Another place that explains the problem, such as the `{` that has no `}`.
    package struct Note: Equatable, Sendable {
        package var message: String
        package var span: Span

        package init(message: String, span: Span) {
            self.message = message
            self.span = span
        }
    }

    package var severity: Severity
    /// One sentence.
    package var message: String
    /// How to fix it.
    package var help: String?
    package var span: Span
    package var notes: [Note]

    package var description: String { message }

    package init(severity: Severity, message: String, help: String?, span: Span, notes: [Note] = []) {
        self.severity = severity
        self.message = message
        self.help = help
        self.span = span
        self.notes = notes
    }
}

/// Collects the problems of a file, up to a limit.
package struct Diagnostics {
    package private(set) var errors: [Diagnostic] = []
    package private(set) var warnings: [Diagnostic] = []

    /// Whether the limit of errors is reached: more would not help.
    package var isFull: Bool { errors.count >= Limits.errors }

    /// Adds an error, unless there is one at this place: a second one is usually a consequence of the first.
    package mutating func report(_ problem: some Problem, at span: Span, notes: [Diagnostic.Note] = []) {
        guard !isFull, !errors.contains(where: { $0.span.start == span.start }) else { return }
        errors.append(
            Diagnostic(severity: .error, message: problem.message, help: problem.help, span: span, notes: notes))
        if isFull {
            let last = SyntaxProblem.tooManyErrors
            errors.append(Diagnostic(severity: .error, message: last.message, help: nil, span: span))
        }
    }

    package mutating func warn(_ problem: some Problem, at span: Span, notes: [Diagnostic.Note] = []) {
        guard warnings.count < Limits.warnings else { return }
        warnings.append(
            Diagnostic(severity: .warning, message: problem.message, help: problem.help, span: span, notes: notes))
    }

    /// Adds an error that another part has made, whatever the limit.
    package mutating func add(_ error: Diagnostic) { errors.append(error) }

    /// The problems in the order of the text. If there are errors, warnings are omitted: they may be consequences.
    package var sorted: [Diagnostic] {
        (errors.isEmpty ? warnings : errors).enumerated().sorted {
            ($0.element.span.start, $0.offset) < ($1.element.span.start, $1.offset)
        }.map(\.element)
    }
}

/// A problem in a `.lab` file. Each family of problems, such as `SyntaxProblem`, is an enum that contains all its
/// messages.
package protocol Problem: Error {
    /// The problem, as one sentence without its full stop.
    var message: String { get }
    /// How to fix it, shown next to the caret.
    var help: String? { get }
}

extension Problem {
    package var help: String? { nil }
}

/// A name or another part of the file, in quotation marks and safe to print.
package func quoted(_ text: some StringProtocol) -> String { "'\(text.printable)'" }

/// A hint that names the closest known word, or all known words if they are few. Nil: no word is close, and there are
/// none or many.
package func namingHint(for word: String, among known: [String]) -> String? {
    if let close = suggestion(for: word, among: known) { return close }
    guard (1...mostNamesInHint).contains(known.count) else { return nil }
    return "available: \(known.map(\.printable).joined(separator: ", "))"
}

private let mostNamesInHint = 6

/// "did you mean 'count'?", if one of the known words is close.
package func suggestion(for word: String, among known: [String]) -> String? {
    closest(to: word, among: known).map { "did you mean '\($0)'?" }
}

extension Diagnostic {
    /// The diagnostic as it is printed: place, message, the line with carets below, help, and notes.
    package func text(in source: SourceText) -> String {
        let file = source.name.printable
        guard source.bytes.count <= Limits.fileBytes else { return "\(file): \(severity.rawValue): \(message)" }
        let numbers = ([span] + notes.map(\.span)).map { source.line(of: $0.start) }
        let margin = max(4, String(numbers.max() ?? 0).count + 1)
        var lines = Self.lines(severity.rawValue, message, help, span, source, margin)
        for note in notes { lines += Self.lines("note", note.message, nil, note.span, source, margin) }
        return lines.joined(separator: "\n")
    }

    private static func lines(
        _ severity: String, _ message: String, _ help: String?, _ span: Span, _ source: SourceText, _ margin: Int
    ) -> [String] {
        let site = source.site(of: span.start)
        let excerpt = SourceExcerpt(source, span)
        let number = String(site.line)
        let gutter = String(repeating: " ", count: margin - number.count) + number + " | "
        let empty = String(repeating: " ", count: margin) + " | "
        let carets = "^" + String(repeating: "~", count: excerpt.width - 1)
        return [
            "\(source.name.printable):\(site.line):\(site.column): \(severity): \(message)",
            gutter + excerpt.line,
            empty + String(repeating: " ", count: excerpt.indentation) + carets + (help.map { " " + $0 } ?? ""),
        ]
    }
}

/// A line of the source with carets under a part of it, made safe for a terminal: tabs become spaces, control
/// characters become pictures, and of a long line only the part around the caret is shown.
struct SourceExcerpt {
    /// The line as shown.
    private(set) var line = ""
    /// The number of columns before the carets.
    private(set) var indentation = 0
    /// The number of carets, at least 1.
    private(set) var width = 0

    /// The columns of a tab.
    private static let tab = 4
    /// The maximum number of characters that are shown.
    private static let mostShown = 100
    /// The number of characters that are kept before the caret when the line is cropped; more if few follow the caret.
    private static let mostBeforeCaret = 40

    init(_ source: SourceText, _ span: Span) {
        let range = source.range(ofLine: source.line(of: span.start))
        let start = min(max(span.start, range.lowerBound), range.upperBound)
        let end = max(start, min(span.end, range.upperBound))
        // A character has at most 4 bytes, so no byte further away than this is shown.
        let reach = 4 * Self.mostShown
        let first = source.bytes.startOfCharacter(at: start - reach, in: range.lowerBound..<start)
        let last = source.bytes.startOfCharacter(at: start + reach, in: start..<range.upperBound)
        let head = Self.cells(source, first..<start)
        let middle = Self.cells(source, start..<min(end, last))
        let tail = Self.cells(source, min(end, last)..<last)
        crop(head, middle, tail, isCut: (before: first > range.lowerBound, after: last < range.upperBound))
    }

    /// Sets the properties from the parts of the line before, above and after the carets.
    ///
    /// - Parameter isCut: whether the line continues before the head, and after the tail.
    private mutating func crop(
        _ head: [Cell], _ middle: [Cell], _ tail: [Cell], isCut: (before: Bool, after: Bool)
    ) {
        var shown = head + middle + tail
        var caret = head.count
        var cutAfter = isCut.after
        var cutBefore = isCut.before
        if shown.count > Self.mostShown {
            let drop = min(max(0, caret - Self.mostBeforeCaret), shown.count - Self.mostShown)
            cutBefore = cutBefore || drop > 0
            shown.removeFirst(drop)
            caret -= drop
            cutAfter = cutAfter || shown.count > Self.mostShown
            shown.removeLast(max(0, shown.count - Self.mostShown))
        }
        let under = shown[caret..<min(caret + max(1, middle.count), shown.count)]
        line = (cutBefore ? "…" : "") + shown.map(\.text).joined() + (cutAfter ? "…" : "")
        indentation = shown[..<caret].reduce(cutBefore ? 1 : 0) { $0 + $1.columns }
        width = max(1, under.reduce(0) { $0 + $1.columns })
    }

    /// A character as shown.
    private struct Cell {
        var text: String
        var columns: Int
    }

    private static func cells(_ source: SourceText, _ range: Range<Int>) -> [Cell] {
        source.text(Span(range.lowerBound, range.upperBound)).unicodeScalars.map { scalar in
            if scalar == "\t" { return Cell(text: String(repeating: " ", count: tab), columns: tab) }
            if let picture = scalar.controlPicture { return Cell(text: String(picture), columns: 1) }
            if scalar.isHazardous { return Cell(text: "\u{FFFD}", columns: 1) }
            return Cell(text: String(scalar), columns: scalar.columns)
        }
    }
}
