import Trace

/// A program whose loops count, and whether the engines find how its runs can go on forever: the searches that seek cycles, all of that; the
/// others, nothing else.
package struct CountingTrial: Sendable {
    package let seed: UInt64
    package let tree: Tree
    package let rules: Rulebook

    package enum Outcome: Sendable {
        /// The kinds of endless runs that are possible, and were found.
        case agreement(Set<OutcomeKind>)
        case disagreement(String)
        case tooLarge
        case refused(String)
    }

    package init(seed: UInt64) {
        self.seed = seed
        tree = Generator.counting(seed: seed)
        rules = Rulebook(seed: seed)
    }

    package func run() -> Outcome {
        let subject: Subject
        do { subject = try Subject(tree.text, rules) } catch { return .refused("\(error)") }
        guard let judgment = Judgment(tree, rules, limit: Self.mostStates) else { return .tooLarge }
        let endless: Set<OutcomeKind> = [.livelock, .starvation]
        for engine in [Sighting.Engine.states, .usual, .dpor, .random] {
            var sighting = subject.search(engine, effort: (Self.effort, 60))
            // What is counted is not what the arbiter counts.
            sighting.ends = nil
            if engine == .states {
                let missing = judgment.endlessKinds.subtracting(sighting.kinds)
                if !missing.isEmpty { return complaint(engine, "does not find \(Self.text(missing))") }
            }
            let invented = sighting.kinds.intersection(endless).subtracting(judgment.endlessKinds)
            if !invented.isEmpty { return complaint(engine, "found \(Self.text(invented)), which cannot be") }
            if let first = sighting.disagreements(with: judgment).first { return complaint(engine, "\(first)") }
        }
        return .agreement(judgment.endlessKinds)
    }

    private static let mostStates = 1500
    private static let effort = 8000

    private func complaint(_ engine: Sighting.Engine, _ words: String) -> Outcome {
        .disagreement("THREADLAB_FUZZ_SEED=\(seed), \(rules): \(engine.rawValue) \(words)\n\(tree.text)")
    }

    private static func text(_ kinds: Set<OutcomeKind>) -> String {
        kinds.map(\.rawValue).sorted().joined(separator: ", ")
    }

    /// Runs the programs with these seeds, on several threads.
    package static func run(_ seeds: Range<UInt64>, threads: Int) async -> [Outcome] {
        await withTaskGroup(of: [Outcome].self) { group in
            for number in 0..<UInt64(threads) {
                group.addTask {
                    stride(from: seeds.lowerBound + number, to: seeds.upperBound, by: threads).map {
                        CountingTrial(seed: $0).run()
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }
}
