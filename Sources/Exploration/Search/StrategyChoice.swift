/// The strategies by name. To add one is a case, its summary, and a line in `make`.
package enum StrategyChoice: String, CaseIterable, Sendable {
    case random

    package var summary: String {
        switch self {
        case .random: "each thread that can step is as likely"
        }
    }

    /// Whether an execution's choices follow from its number, and at most from those of the same block: blocks can be dealt
    /// out in any order.
    var isRandom: Bool {
        switch self {
        case .random: true
        }
    }

    package func make(_ settings: StrategySettings) -> any Strategy {
        switch self {
        case .random: RandomSeries(seed: settings.seed)
        }
    }

    /// What searches without a proof in view, one after the other.
    static let portfolio: [StrategyChoice] = [.random]

    /// What can prove that there is nothing to find.
    static let prover: StrategyChoice? = nil
}
