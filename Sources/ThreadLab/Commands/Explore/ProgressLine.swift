import Glibc
import Supervision
import Trace

/// A progress line of a search, rewritten in place. Silent if there is no terminal.
struct ProgressLine {
    private let plan: SearchPlan
    private let isShown: Bool
    private let width: Int
    private var lastTime: UInt64 = 0
    private var hasWritten = false

    /// The interval between updates, in nanoseconds.
    private static let period: UInt64 = 200_000_000

    init(_ plan: SearchPlan, _ terminal: Terminal) {
        self.plan = plan
        isShown = terminal.isTerminal && isatty(STDERR_FILENO) == 1
        width = terminal.columns
    }

    mutating func show(_ progress: SearchProgress) {
        guard isShown, progress.elapsed - lastTime >= Self.period else { return }
        lastTime = progress.elapsed
        write("\r" + String(text(progress).prefix(width - 1)) + "\u{1B}[K")
        hasWritten = true
    }

    /// Erases the line.
    mutating func clear() {
        if hasWritten { write("\r\u{1B}[K") }
        hasWritten = false
    }

    private func text(_ progress: SearchProgress) -> String {
        let seconds = Double(progress.elapsed) / 1e9
        var parts = [
            "\(progress.counts.executions) executions",
            "\(Int(Double(progress.counts.executions) / seconds))/s",
            "depth \(progress.counts.longest)",
        ]
        if let sample = progress.sample {
            parts.append("\(sample.count) traces")
            parts.append("\(Int((sample.chanceOfNew * 100).rounded()))% new")
        }
        if progress.findings > 0 { parts.append("\(progress.findings) found") }
        let left = Double(plan.time) / 1e9 - seconds
        parts.append("\(Int(max(0, left).rounded(.up))) s left")
        return parts.joined(separator: ", ")
    }

    private func write(_ text: String) {
        var text = text
        // A progress line that cannot be written is no loss.
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
