import Testing

@testable import Supervision

/// The distribution of time, without a clock.
@Suite struct TimeBudgetTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `without a limit each scenario has all that one may take`() {
        let budget = TimeBudget(total: nil, most: 7, jobs: 2, now: 100)
        #expect(budget.share(of: 1000, isFirst: true, now: 1_000_000) == 7)
        #expect(!budget.isLimited && !budget.isWorthRepeating(1, waiting: 1, now: 100))
    }

    @Test func `first each has half of a fair share, and then all that is left`() {
        let budget = TimeBudget(total: 100 * Self.second, most: 1000 * Self.second, jobs: 2, now: 0)
        #expect(budget.share(of: 10, isFirst: true, now: 0) == 10 * Self.second)
        // The others needed little.
        #expect(budget.share(of: 1, isFirst: true, now: 10 * Self.second) == 45 * Self.second)
        #expect(budget.share(of: 2, isFirst: false, now: 10 * Self.second) == 90 * Self.second)
        #expect(budget.isWorthRepeating(60 * Self.second, waiting: 2, now: 10 * Self.second))
        #expect(!budget.isWorthRepeating(61 * Self.second, waiting: 2, now: 10 * Self.second))
        #expect(!budget.isWorthRepeating(1000 * Self.second, waiting: 2, now: 0))
    }

    @Test func `no scenario has more than one may take, or nothing`() {
        let budget = TimeBudget(total: 100 * Self.second, most: 3 * Self.second, jobs: 1, now: 0)
        #expect(budget.share(of: 2, isFirst: true, now: 0) == 3 * Self.second)
        #expect(budget.share(of: 2, isFirst: true, now: 500 * Self.second) == 20_000_000)
        #expect(budget.share(of: 0, isFirst: false, now: 0) == 3 * Self.second)
    }
}
