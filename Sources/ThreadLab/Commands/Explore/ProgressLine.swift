import Supervision

/// What the status line of a search says.
struct ProgressLine {
    private let plan: SearchPlan
    private var line = StatusLine()

    init(_ plan: SearchPlan) { self.plan = plan }

    mutating func show(_ progress: SearchProgress) { if line.isDue { line.show(text(progress)) } }

    mutating func clear() { line.clear() }

    private func text(_ progress: SearchProgress) -> String {
        let seconds = Double(progress.elapsed) / 1e9
        var parts = [
            "\(progress.counts.executions) executions",
            "\(Int(Double(progress.counts.executions) / seconds))/s",
            "depth \(progress.counts.longest)",
        ]
        if progress.counts.states > 0 {
            parts.append("\(progress.counts.states) states")
        }
        if let sample = progress.sample {
            parts.append("\(sample.count) traces")
            parts.append("\(Int((sample.chanceOfNew * 100).rounded()))% new")
        }
        if progress.findings > 0 { parts.append("\(progress.findings) found") }
        let left = Double(plan.time) / 1e9 - seconds
        parts.append("\(Int(max(0, left).rounded(.up))) s left")
        return parts.joined(separator: ", ")
    }
}
