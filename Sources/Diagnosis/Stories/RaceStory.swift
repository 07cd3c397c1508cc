import Trace

/// Tells a data race: both accesses, and what each thread held.
struct RaceStory {
    let words: Words
    let cell: ObjectID
    let earlier: CellAccess
    let later: CellAccess

    var outcome: Outcome {
        let names = words.list([earlier.thread, later.thread])
        let uses = earlier.isWrite && later.isWrite ? "write" : "use"
        return Outcome(
            .race, summary: "\(names) \(uses) \(words.name(cell)) with nothing to put them in order.",
            details: [line(earlier), line(later), advice])
    }

    private func line(_ access: CellAccess) -> String {
        let verb = access.isWrite ? "writes" : "reads"
        let held = access.locks.map { words.name($0.object) + ($0.mode == .shared ? " for reading" : "") }
        let locks = held.isEmpty ? "no lock" : Words.list(held)
        return "\(words.name(access.thread)) \(verb) \(words.name(cell))\(words.at(access.site)), holding \(locks)."
    }

    private var advice: String {
        let object = words.name(cell)
        if earlier.locks.isEmpty && later.locks.isEmpty { return "One mutex around both would put them in order." }
        if earlier.locks.isEmpty || later.locks.isEmpty {
            return "A lock protects \(object) only if everybody who uses \(object) takes it."
        }
        return "A lock that only one of them holds does not keep the other out: both must hold the same one."
    }
}
