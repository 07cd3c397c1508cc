import Trace

/// Explains a potential deadlock: which threads took which locks in which order.
struct LockOrderStory {
    let names: Names
    /// The edges of the cycle: each thread held the lock that the thread before it took.
    let cycle: [LockOrderEdge]
    /// Whether no thread of the run was stuck at its end.
    let isHarmless: Bool

    var finding: Finding {
        Finding(
            .lockOrder, summary: summary, story: cycle.map(line),
            advice: "If every thread took these locks in the same order, no such cycle could form.",
            threads: cycle.map(\.thread), objects: cycle.map(\.from.object),
            sites: cycle.flatMap { [$0.from.site, $0.to.site] })
    }

    private var summary: String {
        let threads = names.list(cycle.map(\.thread))
        let locks = Names.list(cycle.map { names.name($0.from.object) })
        let excuse = isHarmless ? "no harm this time, but " : ""
        return cycle.count == 2
            ? "\(threads) take \(locks) in opposite orders: \(excuse)they may wait for each other forever."
            : "\(threads) take \(locks) in a cycle: \(excuse)each may wait for the next forever."
    }

    private func line(_ edge: LockOrderEdge) -> String {
        let mode = edge.to.mode == .shared ? " for reading" : ""
        return "\(names.name(edge.thread)) holds \(names.words(edge.from)) and takes "
            + "\(names.name(edge.to.object))\(mode)\(names.at(edge.to.site))."
    }
}
