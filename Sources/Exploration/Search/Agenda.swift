/// The work of a search, as units in a fixed order. The result is that of running the units one after the other,
/// however they are distributed among processes.
///
/// Provers, the strategies that can prove something, take turns with a portfolio of random strategies. A prover builds
/// on what it has seen, so its units run in sequence. A small space is thus proved quickly, and a bug in a space too
/// large to finish is still found.
///
/// A search that was divided runs its parts one after the other: see `Agenda.part(of:)`.
package struct Agenda: Sendable {
    /// Consecutive executions of one strategy.
    package struct Unit: Equatable, Sendable {
        package let strategy: StrategyChoice
        /// The numbers of its executions within the strategy.
        package let executions: Range<Int>
        /// The number of executions in all earlier units, if none ends early.
        package let before: Int
        /// The unit ends after this number of steps, so that long executions of one strategy do not delay the others.
        package let steps: Int

        package init(strategy: StrategyChoice, executions: Range<Int>, before: Int, steps: Int = .max) {
            self.strategy = strategy
            self.executions = executions
            self.before = before
            self.steps = steps
        }
    }

    private let provers: [StrategyChoice]
    /// The random strategies, one of which has a unit in each round.
    private let portfolio: [StrategyChoice]
    /// The maximum number of executions.
    private let limit: Int
    /// The parts of a divided search. Empty: it was not divided.
    package let parts: [SearchPart]
    /// The numbers of this agenda's units, if it is one machine's share of an agenda of random executions. Nil: all
    /// units.
    private let share: UnitNumbers?

    /// - Parameters:
    ///   - strategy: the only strategy. Nil: provers together with a portfolio.
    ///   - provers: the strategies that can prove something of the program. Ignored if there is an only strategy.
    ///   - limit: the maximum number of executions, or of states in a search by states alone.
    package init(_ strategy: StrategyChoice?, provers: [StrategyChoice] = [.dpor], limit: Int) {
        self.provers = strategy.map { $0.isRandom ? [] : [$0] } ?? provers
        portfolio = strategy.map { $0.isRandom ? [$0] : [] } ?? StrategyChoice.portfolio
        self.limit = limit
        parts = []
        share = nil
    }

    /// Some units of a search with a random strategy. A unit's number in this agenda is its index in the list.
    package init(_ strategy: StrategyChoice, limit: Int, share: UnitNumbers) {
        provers = []
        portfolio = [strategy]
        self.limit = limit
        parts = []
        self.share = share
    }

    /// The number of units of a search with one random strategy: the first, and the others, rounded up.
    package static func randomUnitCount(limit: Int) -> Int {
        limit <= portfolioSizes.first ? 1 : (limit - portfolioSizes.first - 1) / portfolioSizes.others + 2
    }

    /// A search with this prover alone, divided into these parts.
    package init(parts: [SearchPart], of prover: StrategyChoice) {
        provers = [prover]
        portfolio = []
        limit = .max
        self.parts = parts
        share = nil
    }

    /// The number of units in a round: one for each prover, and one for the portfolio, if there is one.
    package var round: Int { provers.count + (portfolio.isEmpty ? 0 : 1) }

    /// The prover of the unit. Only the process that ran the prover's earlier units can run this one. Nil: the unit
    /// belongs to the portfolio.
    package func prover(of index: Int) -> StrategyChoice? {
        let place = index % round
        return place < provers.count ? provers[place] : nil
    }

    /// Whether there is a prover other than these.
    package func hasProver(besides others: Set<StrategyChoice> = []) -> Bool { !others.isSuperset(of: provers) }
    /// Whether there is work other than that of provers.
    package var hasPortfolio: Bool { !portfolio.isEmpty }

    /// The unit with this number. Nil: the agenda has ended before it.
    package func unit(_ index: Int) -> Unit? {
        if !parts.isEmpty { return unitOfPart(index) }
        if let share { return share[index].flatMap { unitOfWhole($0) } }
        return unitOfWhole(index)
    }

    private func unitOfWhole(_ index: Int) -> Unit? {
        let before = executions(before: index)
        guard before < limit else { return nil }
        let turn = index / round
        if let prover = prover(of: index) { return unit(prover, sizes(of: prover).range(turn), before, turn) }
        let strategy = portfolio[turn % portfolio.count]
        return unit(strategy, Self.portfolioSizes.range(turn / portfolio.count), before, turn / portfolio.count)
    }

    /// A unit of these executions, or of those that are left within the limit.
    private func unit(_ strategy: StrategyChoice, _ range: Range<Int>, _ before: Int, _ turn: Int) -> Unit {
        let isLast = countsExecutions(strategy) && limit - before < range.count
        let last = isLast ? range.lowerBound + limit - before : range.upperBound
        // A strategy that is alone delays no other.
        let steps = provers.count + portfolio.count < 2 ? .max : turn == 0 ? Self.stepsOfFirstTurn : Self.stepsOfTurn
        return Unit(strategy: strategy, executions: range.lowerBound..<last, before: before, steps: steps)
    }

    /// The maximum number of steps in a strategy's first unit and in each later one, if strategies take turns.
    private static let stepsOfFirstTurn = 100_000
    private static let stepsOfTurn = 500_000

    /// The number of executions in all units before this one, as far as they count against the limit.
    private func executions(before index: Int) -> Int {
        var count = 0
        for (place, prover) in provers.enumerated() where countsExecutions(prover) {
            let turns = Self.turns(before: index, at: place, in: round)
            count += sizes(of: prover).range(turns).lowerBound
        }
        if portfolio.isEmpty { return count }
        let portfolioUnits = Self.turns(before: index, at: provers.count, in: round)
        for place in portfolio.indices {
            let turns = Self.turns(before: portfolioUnits, at: place, in: portfolio.count)
            count += Self.portfolioSizes.range(turns).lowerBound
        }
        return count
    }

    /// Of the numbers below `index`, how many are at this place in rounds of this length.
    private static func turns(before index: Int, at place: Int, in round: Int) -> Int {
        (index + round - 1 - place) / round
    }

    // MARK: - Sizes

    /// The number of executions in successive units of a strategy: few at first, so that an easy finding is reported at
    /// once.
    struct Sizes {
        let first: Int
        let others: Int

        /// The numbers of the executions in the strategy's unit with this number, from 0.
        func range(_ turn: Int) -> Range<Int> {
            if turn == 0 { return 0..<first }
            let start = first + (turn - 1) * others
            return start..<start + others
        }
    }

    /// A state and a graph cost less than an execution, so their units have more of them.
    func sizes(of prover: StrategyChoice) -> Sizes {
        switch prover {
        case .states: Sizes(first: 1000, others: 100_000)
        case .graphs: Sizes(first: 10_000, others: 50_000)
        case .dpor, .random, .pct, .pos, .urw, .surw, .delay, .preempt, .dfs, .roundRobin:
            Sizes(first: 100, others: 2000)
        }
    }

    /// Whether the strategy's executions count against the limit. States do only in a search by states alone.
    private func countsExecutions(_ strategy: StrategyChoice) -> Bool { strategy != .states || round == 1 }

    private static let portfolioSizes = Sizes(first: 100, others: 1000)
}

/// A list of unit numbers, stored as ranges because it may be very long.
package struct UnitNumbers: Sendable {
    private var ranges: [Range<Int>] = []
    /// By range: how many numbers precede it in the list.
    private var starts: [Int] = []
    package private(set) var count = 0

    package init(_ ranges: [Range<Int>] = []) { for range in ranges { append(range) } }

    package mutating func append(_ range: Range<Int>) {
        // Leaves out what would make the count overflow: no search reaches these units.
        guard range.count <= Int.max - count else { return }
        ranges.append(range)
        starts.append(count)
        count += range.count
    }

    /// The number at this index of the list. Nil: the list ends before it.
    package subscript(place: Int) -> Int? {
        guard place >= 0, place < count else { return nil }
        var (low, high) = (0, ranges.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= place { low = middle } else { high = middle }
        }
        return ranges[low].lowerBound + (place - starts[low])
    }
}

/// A search by one prover that was divided. Each part has any number of units, so a unit's number contains the part and
/// the unit in the part. One process runs all units of a part; the last unit of a part is followed by the first of the
/// next part.
extension Agenda {
    /// The lower bits of a unit's number that contain its number within the part.
    private static let turnBits = 32

    package static func first(ofPart part: Int) -> Int { part << turnBits }

    /// The part to which the unit with this number belongs. Nil: the search has not been divided.
    package func part(of index: Int) -> Int? { parts.isEmpty ? nil : index >> Self.turnBits }

    /// The number of the unit that follows this one, which is the last of its part.
    package func next(afterLast index: Int) -> Int { Self.first(ofPart: index >> Self.turnBits + 1) }

    func unitOfPart(_ index: Int) -> Unit? {
        guard index >> Self.turnBits < parts.count else { return nil }
        let turn = index & (1 << Self.turnBits - 1)
        return Unit(strategy: provers[0], executions: sizes(of: provers[0]).range(turn), before: 0)
    }
}
