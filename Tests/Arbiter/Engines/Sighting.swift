import Exploration
import Machine
import Trace

/// What one engine says of a program.
package struct Sighting: Sendable {
    package var engine: Engine
    package var isProof = false
    /// Why it is no proof, if it says so.
    package var reason: String?
    /// Whether executions took too many steps.
    package var isCutOff = false
    package var kinds: Set<OutcomeKind> = []
    /// What failed in the assertions that it found, as their messages.
    package var messages: Set<String> = []
    /// The claims that it found not to hold, by threadlab's numbers.
    package var claims: Set<Int> = []
    /// Those of the sought states that executions ended in.
    package var seenStates: Set<String> = []
    /// How executions ended, and with what in memory. Nil: they were not listed.
    package var ends: Set<TerminalState>?
    /// Whether it continues after a finding, so that a proof has them all.
    package var listsAll = true

    /// The ways to search.
    package enum Engine: String, CaseIterable, Sendable {
        case usual = "default"
        case states
        case allStates = "states --all-states"
        case depthFirst = "states --depth-first"
        case compacted = "states --hash-compaction"
        case dpor, dfs, random

        package var strategy: StrategyChoice? {
            switch self {
            case .usual: nil
            case .states, .allStates, .depthFirst, .compacted: .states
            case .dpor: .dpor
            case .dfs: .dfs
            case .random: .random
            }
        }
    }
}
