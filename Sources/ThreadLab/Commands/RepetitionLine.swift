import Supervision
import Trace

/// What the status line of many runs says.
struct RepetitionLine {
    private let count: Int
    private var line: StatusLine

    init(_ count: Int, isWanted: Bool = true) {
        self.count = count
        line = StatusLine(isWanted: isWanted)
    }

    mutating func show(_ tally: OutcomeTally) {
        if line.isDue { line.show(text(tally)) }
    }

    mutating func clear() { line.clear() }

    private func text(_ tally: OutcomeTally) -> String {
        let seconds = Double(line.elapsed) / 1e9
        let done = tally.count
        let rate = Double(done) / seconds
        var parts = ["\(done) of \(count) runs", "\(Int(rate))/s"]
        if done > 0 { parts.append("\(Int((Double(count - done) / rate).rounded(.up))) s left") }
        parts += tally.kinds.map { "\($0.rawValue) \(tally[$0]?.count ?? 0)" }
        return parts.joined(separator: ", ")
    }
}
