/// The work of a search, as units in an order that does not depend on the number of processes. The result is that of
/// the units done one after the other, however they are distributed.
///
/// The prover, which builds on what it has seen, gets one unit after another; in between, the strategies of the
/// portfolio take turns. A small space is thus proved at once, and a bug in a space too large to finish is still found.
package struct Agenda: Sendable {
    /// Executions of one strategy, in a row.
    package struct Unit: Equatable, Sendable {
        package let strategy: StrategyChoice
        /// The numbers of its executions, among those of its strategy.
        package let executions: Range<Int>
        /// The number of executions in all earlier units, if none ends early.
        package let before: Int

        package init(strategy: StrategyChoice, executions: Range<Int>, before: Int) {
            self.strategy = strategy
            self.executions = executions
            self.before = before
        }
    }

    private let prover: StrategyChoice?
    private let portfolio: [StrategyChoice]
    /// The maximum number of executions.
    private let limit: Int

    /// - Parameters:
    ///   - strategy: the only one. Nil: a prover together with a portfolio.
    ///   - limit: the maximum number of executions.
    package init(_ strategy: StrategyChoice?, limit: Int) {
        prover = (strategy ?? StrategyChoice.prover).asProver
        portfolio = strategy.map { $0.isRandom ? [$0] : [] } ?? StrategyChoice.portfolio
        self.limit = limit
    }

    /// Whether only the process that did the prover's earlier units can do this unit.
    package func isProvers(_ index: Int) -> Bool { prover != nil && index % (portfolio.isEmpty ? 1 : 2) == 0 }

    /// Whether there is a prover.
    package var hasProver: Bool { prover != nil }
    /// Whether there is work other than the prover's.
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

    /// The number of executions in successive units: few at first, so that an easy finding is found at once.
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
