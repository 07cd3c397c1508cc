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
        let counts = progress.counts
        var parts: [String] = []
        if counts.executions > 0 || counts.states == 0 {
            let rate = Int(Double(counts.executions) / seconds)
            parts += ["\(counts.executions) executions", "\(rate)/s", "depth \(counts.longest)"]
        }
        if counts.states > 0 {
            parts += ["\(counts.states) states", "\(Int(Double(counts.states) / seconds))/s"]
            if counts.depth > 0 { parts.append("\(counts.depth) moves deep") }
            parts.append("\(counts.open) to expand")
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
