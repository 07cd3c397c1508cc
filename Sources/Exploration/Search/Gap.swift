/// Something that a search has not done. What it says of a program is a proof if there is nothing of the kind: only the list
/// of a result's gaps decides that.
package enum Gap: Equatable, Sendable {
    /// It ended before all that its strategies may try was tried: for this reason, or, without one, at a finding, or because
    /// none of them can try everything.
    case unfinished(SearchResult.Stop?)
    /// A strategy that could have tried everything had to give up.
    case abandoned(Obstacle)
    /// All was tried that a bound allows.
    case bound
    /// The states needed more memory than is allowed.
    case memory
    /// All states that were found were visited, but states with the same hash are taken for one, and executions that never
    /// end were not looked for.
    case hashes(chanceOfMissed: Double)
    /// Executions were cut off at the limit of steps.
    case cutOff(executions: Int)
    /// Executions had as many spurious wake-ups as are allowed.
    case spurious(executions: Int)
    /// The program was not controlled: not all that it did was the scheduler's choice.
    case uncontrolled(Discrepancy)

    /// Without its figures. The raw values are part of reports.
    package enum Kind: String, CaseIterable, Sendable {
        case unfinished, abandoned, bound, memory, hashes
        case cutOff = "cut-off"
        case spurious, uncontrolled
    }

    package var kind: Kind {
        switch self {
        case .unfinished: .unfinished
        case .abandoned: .abandoned
        case .bound: .bound
        case .memory: .memory
        case .hashes: .hashes
        case .cutOff: .cutOff
        case .spurious: .spurious
        case .uncontrolled: .uncontrolled
        }
    }
}

extension SearchResult {
    /// Whether everything that the program can do under the rules was seen.
    package var isProof: Bool { gaps.isEmpty }

    /// What the search has not done, the most telling first.
    package var gaps: [Gap] {
        var gaps: [Gap] = []
        if let discrepancy { gaps.append(.uncontrolled(discrepancy)) }
        // What other strategies could not try is tried by the one that has tried everything.
        if total == nil { gaps += gapsOfStrategies }
        // An execution that never ends is cut off; its states are few.
        if counts.cutOff > 0 && prover != .states { gaps.append(.cutOff(executions: counts.cutOff)) }
        if counts.spent > 0 { gaps.append(.spurious(executions: counts.spent)) }
        if total == nil { gaps.append(.unfinished(stop)) }
        return gaps
    }

    private var gapsOfStrategies: [Gap] {
        var gaps: [Gap] = []
        if let obstacle { gaps.append(.abandoned(obstacle)) }
        if let chance = chanceOfMissed {
            gaps.append(.hashes(chanceOfMissed: chance))
        } else if bounded.contains(.states) {
            gaps.append(.memory)
        }
        let hasBound = !bounded.subtracting([.states]).isEmpty && obstacle == nil
        if hasBound && counts.cutOff == 0 { gaps.append(.bound) }
        return gaps
    }
}
