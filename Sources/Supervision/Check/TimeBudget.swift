import Trace

/// How the time for a whole check is distributed among its scenarios.
///
/// Each scenario first gets half of a fair share, which most do not use up. The time that they leave, and the other
/// half, goes to the scenarios that were not proved in their time, again in equal shares, as long as a share is worth a
/// new search.
package struct TimeBudget {
    /// In nanoseconds of the recording clock. Nil: there is no limit.
    private let deadline: UInt64?
    /// The maximum time for one scenario, in nanoseconds.
    private let most: UInt64
    private let jobs: Int

    /// The minimum time for one scenario, in nanoseconds. Less would show nothing.
    private static let least: UInt64 = 20_000_000

    /// - Parameter total: the time for all scenarios, in nanoseconds. Nil: there is no limit.
    package init(total: UInt64?, most: UInt64, jobs: Int, now: UInt64 = RecordingClock.nanoseconds()) {
        deadline = total.map { now + min($0, .max - now) }
        self.most = most
        self.jobs = jobs
    }

    var isLimited: Bool { deadline != nil }

    /// Whether no time is left for another scenario.
    package func isOver(now: UInt64 = RecordingClock.nanoseconds()) -> Bool { deadline.map { now >= $0 } ?? false }

    /// The time of the next scenario, in nanoseconds.
    ///
    /// - Parameters:
    ///   - waiting: the number of scenarios, including this one, that share the remaining time.
    ///   - isFirst: whether they are searched for the first time.
    package func share(of waiting: Int, isFirst: Bool, now: UInt64 = RecordingClock.nanoseconds()) -> UInt64 {
        guard let deadline else { return most }
        let left = deadline > now ? deadline - now : 0
        // The number of scenarios that each process finishes one after the other.
        let turns = UInt64(max(1, (waiting + jobs - 1) / jobs))
        return min(most, max(Self.least, left / turns / (isFirst ? 2 : 1)))
    }

    /// Whether a scenario should be searched again.
    ///
    /// - Parameters:
    ///   - had: the time that it had in its last search, in nanoseconds.
    ///   - waiting: the number of scenarios to search again.
    func isWorthRepeating(_ had: UInt64, waiting: Int, now: UInt64 = RecordingClock.nanoseconds()) -> Bool {
        guard isLimited, had < most else { return false }
        // The search begins from the start, so with less than one and a half times the time it would show little more.
        return share(of: waiting, isFirst: false, now: now) >= had + had / 2
    }
}
