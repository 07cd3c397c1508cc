/// What is to be searched, as units in an order that does not depend on how many processes do them. The search's result is that of
/// the units done one after the other, however they were dealt out.
///
/// The prover, which builds on what it has seen, gets a unit and then another; between them the strategies of the portfolio
/// take turns. So what is small is proved at once, and a bug in a space too large to finish is still found.
package struct Agenda: Sendable {
    /// Executions of one strategy, in a row.
    package struct Unit: Equatable, Sendable {
        package let strategy: StrategyChoice
        /// The numbers of its executions, among those of its strategy.
        package let executions: Range<Int>
        /// How many executions all the units before have, if none ends before its time.
        package let before: Int

        package init(strategy: StrategyChoice, executions: Range<Int>, before: Int) {
            self.strategy = strategy
            self.executions = executions
            self.before = before
        }
    }

    private let prover: StrategyChoice?
    private let portfolio: [StrategyChoice]
    /// How many executions there are at most.
    private let limit: Int

    /// - Parameters:
    ///   - strategy: the only one. Nil: a prover, and a portfolio beside it.
    ///   - limit: how many executions there are at most.
    package init(_ strategy: StrategyChoice?, limit: Int) {
        prover = (strategy ?? StrategyChoice.prover).asProver
        portfolio = strategy.map { $0.isRandom ? [$0] : [] } ?? StrategyChoice.portfolio
        self.limit = limit
    }

    /// Whether the unit can only be done by whoever did the prover's units before.
    package func isProvers(_ index: Int) -> Bool { prover != nil && index % (portfolio.isEmpty ? 1 : 2) == 0 }

    /// Whether there is a prover.
    package var hasProver: Bool { prover != nil }
    /// Whether there is work beside the prover's.
    package var hasPortfolio: Bool { !portfolio.isEmpty }

    /// Nil: the agenda ends before this one.
    package func unit(_ index: Int) -> Unit? {
        let before = executions(before: index)
        guard before < limit else { return nil }
        if let prover, isProvers(index) {
            let turn = portfolio.isEmpty ? index : index / 2
            return unit(prover, Self.proverSizes.range(turn), before)
        }
        let turn = prover == nil ? index : index / 2
        let strategy = portfolio[turn % portfolio.count]
        return unit(strategy, Self.portfolioSizes.range(turn / portfolio.count), before)
    }

    private func unit(_ strategy: StrategyChoice, _ range: Range<Int>, _ before: Int) -> Unit {
        let last = limit - before < range.count ? range.lowerBound + limit - before : range.upperBound
        return Unit(strategy: strategy, executions: range.lowerBound..<last, before: before)
    }

    private func executions(before index: Int) -> Int {
        let provers = prover == nil ? 0 : portfolio.isEmpty ? index : (index + 1) / 2
        let others = index - provers
        var count = Self.proverSizes.range(provers).lowerBound
        for (place, _) in portfolio.enumerated() {
            let turns = (others + portfolio.count - 1 - place) / portfolio.count
            count += Self.portfolioSizes.range(turns).lowerBound
        }
        return count
    }

    // MARK: - Sizes

    /// How many executions one unit after the other has: few at first, so that what is easily found is found at once.
    private struct Sizes {
        let first: Int
        let others: Int

        func range(_ turn: Int) -> Range<Int> {
            if turn == 0 { return 0..<first }
            let start = first + (turn - 1) * others
            return start..<start + others
        }
    }

    private static let proverSizes = Sizes(first: 100, others: 2000)
    private static let portfolioSizes = Sizes(first: 100, others: 1000)
}
