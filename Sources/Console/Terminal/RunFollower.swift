import Glibc
import Reports
import Supervision
import Text
import Trace

/// Shows a run on real threads on standard error while it runs (`run --follow`). On a terminal, one line for each
/// thread changes in place, below the steps, which scroll away. Anything else gets the steps, and once a second a line
/// that says what the threads do.
///
/// The terminal's modes are never changed, and between updates the cursor is at the beginning of the lines to replace.
/// So nothing must be restored, even if this process is killed.
package final class RunFollower {
    private let terminal = Terminal(STDERR_FILENO)
    private let isInPlace: Bool
    private var view: LiveView
    /// The beginning of a line that the scenario prints.
    private var unfinishedLine: [UInt8] = []
    /// The whole lines that the scenario has printed since the last update.
    private var printed: [String] = []
    /// Whether standard error has no reader any more. The run continues.
    private var isGone = false
    /// The run's second in which the last line about the threads was written, if updates are not in place.
    private var seconds: UInt64 = 0

    /// The maximum length of a line that the scenario prints, in bytes. A longer one is split.
    private static let longestLine = 1000
    /// The maximum number of lines that the scenario prints between two updates. Further lines are dropped.
    private static let mostLines = 1000

    private static let nanosecondsPerSecond: UInt64 = 1_000_000_000

    package init(_ color: Terminal.ColorChoice) {
        isInPlace = terminal.isTerminal && !Terminal.isDumb
        view = LiveView(
            color: terminal.usesColor(color), ascii: !terminal.drawsLines)
    }

    /// What the supervisor of the run calls, ten times a second.
    var watch: RunWatch {
        var watch = RunWatch(every: 100_000_000) { self.show($0, isLast: false) }
        watch.consume = { self.view.consume($0) }
        if isInPlace { watch.output = { self.collect($0) } }
        watch.finish = { self.show($0, isLast: true) }
        return watch
    }

    /// Collects output of the scenario, which would otherwise disturb what is shown.
    private func collect(_ bytes: [UInt8]) {
        for byte in bytes {
            if byte != UInt8(ascii: "\n") && unfinishedLine.count < Self.longestLine {
                unfinishedLine.append(byte)
            } else {
                endLine()
                if byte != UInt8(ascii: "\n") { unfinishedLine.append(byte) }
            }
        }
    }

    private func endLine() {
        if printed.count < Self.mostLines { printed.append(String(decoding: unfinishedLine, as: UTF8.self).printable) }
        unfinishedLine = []
    }

    // MARK: - Showing

    private func show(_ progress: RunProgress, isLast: Bool) {
        guard isLast || isReady else { return }
        // The height matters only on a terminal. Lines are one column narrower than the width that is passed.
        let size = ScreenSize(rows: terminal.rows ?? Terminal.usualRows, columns: max(terminal.columns, 2))
        if isLast && !unfinishedLine.isEmpty { endLine() }
        let steps = view.steps(progress.trace, at: progress.time, on: size, isLast: isLast)
        if isInPlace {
            let threads = isLast ? [] : view.threads(progress.trace, at: progress.time, on: size)
            write(frame(printed + steps, threads))
            printed = []
        } else {
            let second = progress.time / Self.nanosecondsPerSecond
            let isDue = !isLast && second > seconds
            if isDue { seconds = second }
            write((steps + (isDue ? [progress.text.printable] : [])).map { $0 + "\n" }.joined())
        }
    }

    /// The text that shows the steps, with the threads below them, and that returns the cursor to the beginning of the
    /// threads.
    private func frame(_ steps: [String], _ threads: [String]) -> String {
        let erase = "\u{1B}[K"
        var text = "\r" + steps.map { $0 + erase + "\r\n" }.joined()
        text += threads.map { $0 + erase }.joined(separator: "\r\n") + "\u{1B}[J\r"
        if threads.count > 1 { text += "\u{1B}[\(threads.count - 1)A" }
        return text
    }

    /// Whether a write would not block. A reader that does not read, such as a stopped one, must not stop the
    /// supervision of the run.
    private var isReady: Bool {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return !isGone && poll(&descriptor, 1, 0) == 1
    }

    private func write(_ text: String) {
        guard !text.isEmpty, !isGone else { return }
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        isGone = StandardOutput.write(Array(text.utf8), to: STDERR_FILENO) != 0
    }
}
