import Trace

/// A line of a report, written from left to right, without trailing blanks.
struct Line {
    private let colors: Bool
    private var position = 0

    init(_ options: ReportOptions) { colors = options.color }

    /// The first column at which a label can be put.
    func next(gap: Int = 1) -> Int { position == 0 ? 0 : position + gap }

    /// Puts a label at a column, or after the existing text if that is later.
    ///
    /// - Parameter gap: the minimum number of blanks before it.
    mutating func put(
        _ label: Label, at column: Int, _ color: Color = .plain, gap: Int = 1, to sink: inout ByteSink
    ) {
        guard label.width > 0 else { return }
        let start = position == 0 ? column : max(column, position + gap)
        sink.write(spaces: start - position)
        let escape = colors ? color.escape : ""
        if !escape.isEmpty { sink.write(escape) }
        sink.write(label.text)
        if !escape.isEmpty { sink.write(Color.reset) }
        position = start + label.width
    }

    /// Puts a label so that it ends before a column, if there is room.
    mutating func put(_ label: Label, before column: Int, _ color: Color = .plain, to sink: inout ByteSink) {
        put(label, at: max(column - label.width, 0), color, to: &sink)
    }

    mutating func end(to sink: inout ByteSink) {
        sink.endLine()
        position = 0
    }
}

/// The terminal's own colors, which suit the reader's background.
enum Color: Equatable {
    case plain
    case dim
    case bold
    case good
    case bad
    /// For a result that is neither good nor bad, such as a search without a finding and without a proof.
    case doubtful
    /// The color of a thread. There are six colors, which repeat.
    case thread(Int)

    static let reset = "\u{1B}[0m"

    /// The escape sequence that turns the color on. Empty for plain.
    var escape: String {
        switch self {
        case .plain: ""
        case .dim: "\u{1B}[2m"
        case .bold: "\u{1B}[1m"
        case .good: "\u{1B}[1;32m"
        case .bad: "\u{1B}[1;31m"
        case .doubtful: "\u{1B}[1;33m"
        case .thread(let number): Self.threads[number % Self.threads.count]
        }
    }

    /// Cyan, yellow, magenta, green, blue, bright red: neighboring colors differ, and the red of findings is bold.
    private static let threads = [36, 33, 35, 32, 34, 91].map { "\u{1B}[\($0)m" }
}
