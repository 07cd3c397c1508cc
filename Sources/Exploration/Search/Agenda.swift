/// The work of a search, as units in an order that does not depend on the number of processes. The result is that of
/// the units done one after the other, however they are distributed.
///
/// A prover builds on what it has seen, so its units are done one after another; in between, the strategies of the
/// portfolio take turns. A small space is thus proved at once, and a bug in a space too large to finish is still found.
///
/// A search that has been divided does its parts one after the other: see `Agenda+Parts`.
package struct Agenda: Sendable {
    /// Executions of one strategy, in a row.
    package struct Unit: Equatable, Sendable {
        package let strategy: StrategyChoice
        /// The numbers of its executions, among those of its strategy.
        package let executions: Range<Int>
        /// The number of executions in all earlier units, if none ends early.
        package let before: Int
        /// The unit is over after this number of steps, so that long executions of one strategy keep no other from its turn.
        package let steps: Int

        package init(strategy: StrategyChoice, executions: Range<Int>, before: Int, steps: Int = .max) {
            self.strategy = strategy
            self.executions = executions
            self.before = before
            self.steps = steps
        }
    }

    private let provers: [StrategyChoice]
    private let portfolio: [StrategyChoice]
    /// The maximum number of executions.
    private let limit: Int
    /// What the search has been divided into, if it has been.
    package let parts: [SearchPart]
    /// The numbers of the units that it has, if it is a share of an agenda of random executions. Nil: all.
    private let share: UnitNumbers?

    /// - Parameters:
    ///   - strategy: the only one. Nil: provers together with a portfolio.
    ///   - provers: the strategies that can prove something of the program, unless one strategy is the only one.
    ///   - limit: the maximum number of executions; of a search by states alone, of states.
    package init(_ strategy: StrategyChoice?, provers: [StrategyChoice] = [.dpor], limit: Int) {
        self.provers = strategy.map { $0.isRandom ? [] : [$0] } ?? provers
        portfolio = strategy.map { $0.isRandom ? [$0] : [] } ?? StrategyChoice.portfolio
        self.limit = limit
        parts = []
        share = nil
    }

    /// Some units of a search with a random strategy, which are numbered here by their places in the list.
    package init(_ strategy: StrategyChoice, limit: Int, share: UnitNumbers) {
        provers = []
        portfolio = [strategy]
        self.limit = limit
        parts = []
        self.share = share
    }

    /// The number of units of a search with one random strategy.
    package static func randomUnitCount(limit: Int) -> Int {
        limit <= portfolioSizes.first ? 1 : (limit - portfolioSizes.first - 1) / portfolioSizes.others + 2
    }

    /// Of a search with this prover alone, all of whose executions are in these parts.
    package init(parts: [SearchPart], of prover: StrategyChoice) {
        provers = [prover]
        portfolio = []
        limit = .max
        self.parts = parts
        share = nil
    }

    /// The number of units after which the first prover, or else the portfolio, has its turn again.
    package var round: Int { provers.count + (portfolio.isEmpty ? 0 : 1) }

    /// The prover whose unit this is: only the process that did its earlier units can do this one.
    package func prover(of index: Int) -> StrategyChoice? {
        let place = index % round
        return place < provers.count ? provers[place] : nil
    }

    /// Whether one of these provers is left.
    package func hasProver(besides others: Set<StrategyChoice> = []) -> Bool { !others.isSuperset(of: provers) }
    /// Whether there is work other than the prover's.
    package var hasPortfolio: Bool { !portfolio.isEmpty }

    /// Nil: the agenda ends before this one.
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

    private func unit(_ strategy: StrategyChoice, _ range: Range<Int>, _ before: Int, _ turn: Int) -> Unit {
        let isLast = countsExecutions(strategy) && limit - before < range.count
        let last = isLast ? range.lowerBound + limit - before : range.upperBound
        // What is alone waits for nothing.
        let steps = provers.count + portfolio.count < 2 ? .max : turn == 0 ? Self.stepsOfFirstTurn : Self.stepsOfTurn
        return Unit(strategy: strategy, executions: range.lowerBound..<last, before: before, steps: steps)
    }

    /// About what a turn of a search by states takes.
    private static let stepsOfFirstTurn = 100_000
    private static let stepsOfTurn = 500_000

    private func executions(before index: Int) -> Int {
        var count = 0
        for (place, prover) in provers.enumerated() where countsExecutions(prover) {
            let turns = (index + round - 1 - place) / round
            count += sizes(of: prover).range(turns).lowerBound
        }
        if portfolio.isEmpty { return count }
        let others = (index + round - 1 - provers.count) / round
        for (place, _) in portfolio.enumerated() {
            let turns = (others + portfolio.count - 1 - place) / portfolio.count
            count += Self.portfolioSizes.range(turns).lowerBound
        }
        return count
    }

    // MARK: - Sizes

    /// The number of executions in successive units: few at first, so that an easy finding is found at once.
    struct Sizes {
        let first: Int
        let others: Int

        func range(_ turn: Int) -> Range<Int> {
            if turn == 0 { return 0..<first }
            let start = first + (turn - 1) * others
            return start..<start + others
        }
    }

    /// A state costs less than an execution.
    func sizes(of prover: StrategyChoice) -> Sizes {
        switch prover {
        case .states: Sizes(first: 1000, others: 100_000)
        // A graph costs less than an execution, too.
        case .graphs: Sizes(first: 10_000, others: 50_000)
        case .dpor, .random, .pct, .pos, .urw, .surw, .delay, .preempt, .dfs, .roundRobin:
            Sizes(first: 100, others: 2000)
        }
    }

    /// Beside other strategies, states do not count as executions.
    private func countsExecutions(_ strategy: StrategyChoice) -> Bool { strategy != .states || round == 1 }

    private static let portfolioSizes = Sizes(first: 100, others: 1000)
}

/// A list of numbers of units that may be longer than memory: they follow each other in ranges.
package struct UnitNumbers: Sendable {
    private var ranges: [Range<Int>] = []
    /// How many numbers are in those before each of them.
    private var starts: [Int] = []
    package private(set) var count = 0

    package init(_ ranges: [Range<Int>] = []) { for range in ranges { append(range) } }

    package mutating func append(_ range: Range<Int>) {
        // No search comes to what has no place in the list.
        guard range.count <= Int.max - count else { return }
        ranges.append(range)
        starts.append(count)
        count += range.count
    }

    /// The number at this place of the list. Nil: the list ends before it.
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

/// A search by one prover that has been divided. Each part has as many units as it needs, so the number of a unit says which one
/// of which part it is. One process does all units of a part; the next unit after the last one of a part is the first of the next.
extension Agenda {
    private static let turnBits = 32

    /// The number of a part's first unit.
    package static func first(ofPart part: Int) -> Int { part << turnBits }

    /// The part to which the unit with this number belongs. Nil: the search has not been divided.
    package func part(of index: Int) -> Int? { parts.isEmpty ? nil : index >> Self.turnBits }

    /// The number of the unit that comes next, if this one was the last of its part.
    package func next(afterLast index: Int) -> Int { Self.first(ofPart: index >> Self.turnBits + 1) }

    func unitOfPart(_ index: Int) -> Unit? {
        guard index >> Self.turnBits < parts.count else { return nil }
        let turn = index & (1 << Self.turnBits - 1)
        return Unit(strategy: provers[0], executions: sizes(of: provers[0]).range(turn), before: 0)
    }
}
