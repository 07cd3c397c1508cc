import Trace

/// A program, rules, and what the engines say of it.
package struct Trial: Sendable {
    package let seed: UInt64
    package let tree: Tree
    package let rules: Rulebook

    package enum Outcome: Sendable {
        /// The engines agree with the arbiter; how many of them proved what they say.
        case agreement(proofs: Int, Judgment)
        case disagreement([Disagreement])
        /// The program has more states than the arbiter looks at.
        case tooLarge
        /// threadlab reads it as no program.
        case refused(String)
    }

    package init(seed: UInt64) {
        self.init(seed: seed, Generator.program(seed: seed), Rulebook(seed: seed))
    }

    /// A program about time limits, and about what ends for no reason.
    package init(impatient seed: UInt64) {
        self.init(seed: seed, Generator.impatient(seed: seed), Rulebook(impatient: seed))
    }

    package init(seed: UInt64, _ tree: Tree, _ rules: Rulebook) {
        self.seed = seed
        self.tree = tree
        self.rules = rules
    }

    package func run(_ engines: [Sighting.Engine] = Sighting.Engine.allCases) -> Outcome {
        let subject: Subject
        do { subject = try Subject(tree.text, rules) } catch { return .refused("\(error)") }
        guard let judgment = Judgment(tree, rules, limit: Self.mostStates) else { return .tooLarge }
        var disagreements: [Disagreement] = []
        var proofs = 0
        for engine in engines {
            let sighting = subject.search(engine, effort: (30_000, 400))
            disagreements += sighting.disagreements(with: judgment)
            if sighting.isProof { proofs += 1 }
        }
        return disagreements.isEmpty ? .agreement(proofs: proofs, judgment) : .disagreement(disagreements)
    }

    package static let mostStates = 3000

    package var heading: String { "THREADLAB_FUZZ_SEED=\(seed), \(rules)" }

    /// A smaller program of which the same engine says what is wrong in the same way.
    package func shrunk(_ disagreement: Disagreement) -> (tree: Tree, disagreement: Disagreement) {
        var last = disagreement
        let tree = Shrinker.shrink(tree, patience: 600) { tree in
            guard case .disagreement(let list) = Trial(seed: seed, tree, rules).run([disagreement.engine]),
                let same = list.first(where: { $0.complaint == disagreement.complaint })
            else { return false }
            last = same
            return true
        }
        return (tree, last)
    }
}
