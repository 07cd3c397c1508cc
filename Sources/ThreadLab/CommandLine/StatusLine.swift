import CLab
import Glibc
import Trace

/// A line on standard error that says how far the work is. A terminal shows it rewritten in place; a terminal that cannot do
/// that shows a plain line from time to time, and anything else nothing.
struct StatusLine {
    private enum Form { case rewritten, plain, none }

    private let form: Form
    private let width: Int
    private let period: UInt64
    private let begin = RecordingClock.nanoseconds()
    private var lastTime: UInt64
    private var hasWritten = false

    /// The interval between plain lines, in nanoseconds.
    private static let longPeriod: UInt64 = 10_000_000_000

    /// - Parameters:
    ///   - period: the interval between updates, in nanoseconds. The first one comes after it.
    ///   - isWanted: whether there may be a line at all.
    init(every period: UInt64 = 200_000_000, isWanted: Bool = true) {
        form = !isWanted || isatty(STDERR_FILENO) != 1 ? .none : Terminal.isDumb ? .plain : .rewritten
        let columns = Int(clab_terminal_columns(STDERR_FILENO))
        width = columns > 0 ? columns : 80
        self.period = form == .plain ? Self.longPeriod : period
        lastTime = begin
    }

    /// The time since the beginning, in nanoseconds.
    var elapsed: UInt64 { RecordingClock.nanoseconds() - begin }

    /// Whether it is time for an update.
    var isDue: Bool { form != .none && RecordingClock.nanoseconds() - lastTime >= period }

    mutating func show(_ text: String) {
        lastTime = RecordingClock.nanoseconds()
        // Cut, not wrapped: a line that was wrapped could not be rewritten.
        let line = text.printable.prefix(width - 1)
        StandardError.write(form == .plain ? "\(line)\n" : "\r\(line)\u{1B}[K")
        hasWritten = form == .rewritten
    }

    /// Erases the line.
    mutating func clear() {
        if hasWritten { StandardError.write("\r\u{1B}[K") }
        hasWritten = false
    }
}
