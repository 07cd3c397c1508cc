import Machine
import Trace

/// What the random walks of one program and one seed have shown, so that a walk all of whose choices led somewhere
/// before is not run again: how it ends is looked up.
///
/// A search with this memory reports what one without it does. It is kept from unit to unit of a search.
package final class KnownWalks {
    /// How a walk ended, as far as a search looks at it.
    struct Ending: Equatable {
        let end: Verdict
        /// Zero for endings that are not reported.
        var place = 0
        /// The claims that do not hold either.
        var otherClaims: [ClaimEnd] = []
        /// Whether time passed, and whether the limit of waits that end without a signal was reached.
        var isTimed = false
        var isSpent = false
        /// The sought states that it ended in.
        var states: [Int] = []

        init(end: Verdict) { self.end = end }
    }

    private let seed: UInt64
    private let survey: WalkSurvey
    /// The maximum number of steps of a walk that is looked up.
    private let longest: Int
    @exclusivity(unchecked) private var endings: [Ending] = []
    /// The endings in which time passed, and in which the limit of waits was reached, a bit each.
    @exclusivity(unchecked) private(set) var timed: UInt64 = 0
    @exclusivity(unchecked) private(set) var spent: UInt64 = 0
    /// Whether walks are looked up; how many were in the present period, and how many of those were known.
    @exclusivity(unchecked) private(set) var isUsed = true
    @exclusivity(unchecked) private var asked = 0
    @exclusivity(unchecked) private var known = 0

    /// Sets of endings are words.
    private static let mostEndings = 64
    /// If the graph is full, and fewer of a period's walks are known, none are looked up any more: a walk that is not
    /// known was followed without result.
    private static let period = 4096
    private static let fewestKnown = 1024

    /// Nil: nothing can be remembered, because the subject cannot compare its states, or because the goal requires each
    /// execution.
    package init?(_ subject: any Subject, seed: UInt64, rules: Rules, goal: SearchGoal) {
        longest = Driver.stepsBeforeCycleSearch(rules)
        guard subject.futureHash != nil, !goal.countsTerminals, longest > 0 else { return nil }
        self.seed = seed
        survey = WalkSurvey(subject, longest: longest)
    }

    /// How the walk with this number ends, as the number of the ending, and how many steps it takes. Nil: not known.
    @inline(__always) func lookUp(_ number: Int) -> (ending: Int, steps: Int)? {
        let end = survey.graph.follow(SplitMix64(seed: seed, execution: number), longest: longest)
        asked &+= 1
        if end != nil { known &+= 1 }
        if asked == Self.period { assess() }
        return end
    }

    @inline(never) private func assess() {
        if survey.graph.isFull && known < Self.fewestKnown {
            isUsed = false
            survey.graph = WalkGraph()
        }
        asked = 0
        known = 0
    }

    /// Runs the walk with this number. Nil: it has not, because walks are no longer remembered.
    func run(_ number: Int, _ races: RaceWatch) -> Verdict? {
        if !isUsed { return nil }
        return survey.run(SplitMix64(seed: seed, execution: number), races)
    }

    /// The last walk that was run has ended in this way.
    ///
    /// - Returns: the number of the ending. Nil: it is not remembered.
    func note(_ ending: Ending, steps: Int) -> Int? {
        guard isUsed, !ending.end.isCutOff, ending.end != .stopped else { return nil }
        var number = endings.firstIndex(of: ending)
        if number == nil && endings.count < Self.mostEndings {
            number = endings.count
            endings.append(ending)
            let bit: UInt64 = 1 << UInt64(endings.count - 1)
            if ending.isTimed { timed |= bit }
            if ending.isSpent { spent |= bit }
        }
        if let number { survey.note(number, steps: steps) }
        return number
    }
}
