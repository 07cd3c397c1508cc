/// Many programs, one for each seed, and what came of them.
package struct Series: Sendable {
    /// The programs; those that the arbiter did not judge, because they have too many states; those that threadlab did not read.
    package private(set) var programs = 0
    package private(set) var tooLarge = 0
    package private(set) var refusals: [String] = []
    /// How often an engine proved what it said.
    package private(set) var proofs = 0
    /// Each program on which an engine and the arbiter do not agree, with the first thing that is wrong.
    package private(set) var complaints: [(trial: Trial, disagreement: Disagreement)] = []
    /// How many programs show something that the generator is for.
    package private(set) var sights: [String: Int] = [:]

    /// Runs the programs with these seeds, on several threads.
    ///
    /// - Parameter trial: the program for a seed.
    package static func run(
        _ seeds: Range<UInt64>, threads: Int, _ trial: @escaping @Sendable (UInt64) -> Trial = { Trial(seed: $0) }
    ) async -> Series {
        await withTaskGroup(of: Series.self) { group in
            for number in 0..<UInt64(threads) {
                group.addTask {
                    var series = Series()
                    for seed in stride(from: seeds.lowerBound + number, to: seeds.upperBound, by: threads) {
                        series.add(trial(seed))
                    }
                    return series
                }
            }
            return await group.reduce(into: Series()) { $0.add($1) }
        }
    }

    private mutating func add(_ trial: Trial) {
        programs += 1
        switch trial.run() {
        case .agreement(let proofs, let judgment):
            self.proofs += proofs
            for sight in judgment.sights { sights[sight, default: 0] += 1 }
        case .disagreement(let list): if let first = list.first { complaints.append((trial, first)) }
        case .tooLarge: tooLarge += 1
        case .refused(let reason): refusals.append("seed \(trial.seed): \(reason)\n\(trial.tree.text)")
        }
    }

    private mutating func add(_ other: Series) {
        programs += other.programs
        tooLarge += other.tooLarge
        refusals += other.refusals
        proofs += other.proofs
        complaints += other.complaints
        sights.merge(other.sights) { $0 + $1 }
    }

    /// The complaints as text, the first few about smaller programs.
    package var report: [String] {
        complaints.sorted { $0.trial.seed < $1.trial.seed }.enumerated().map { number, complaint in
            let (trial, disagreement) = complaint
            if number >= Self.mostShrunk { return "\(trial.heading): \(disagreement)" }
            let (tree, smallest) = trial.shrunk(disagreement)
            return "\(trial.heading): \(smallest)\n\(tree.text)"
        }
    }

    private static let mostShrunk = 3
}

extension Judgment {
    /// What the program shows.
    fileprivate var sights: Set<String> {
        var sights = Set(ends.map(\.kind.rawValue))
        if hasLivelock { sights.insert("livelock") }
        if hasStarvation { sights.insert("starvation") }
        if hasStarvation && hasLivelock { sights.insert("both") }
        if continuesForever && !hasLivelock && !hasStarvation { sights.insert("forever") }
        if racesForever { sights.insert("race forever") }
        if passesTimeBesideSteps { sights.insert("time beside steps") }
        return sights
    }
}
