import Trace

/// How the time for a whole check is distributed among its scenarios.
///
/// Each first gets half of a fair share, of which most need little: what they leave, and the other half, goes to the
/// scenarios that were not proved in their time, in equal shares again, as long as a share is worth a new search.
package struct TimeBudget {
    /// By the clock of recordings, in nanoseconds. Nil: there is no limit.
    private let deadline: UInt64?
    /// The limit of one scenario, in nanoseconds.
    private let most: UInt64
    private let jobs: Int

    /// Less is not enough to find out anything.
    private static let least: UInt64 = 20_000_000

    /// - Parameter total: for all scenarios, in nanoseconds. Nil: there is no limit.
    package init(total: UInt64?, most: UInt64, jobs: Int, now: UInt64 = RecordingClock.nanoseconds()) {
        deadline = total.map { now + min($0, .max - now) }
        self.most = most
        self.jobs = jobs
    }

    var isLimited: Bool { deadline != nil }

    /// Whether there is none for another scenario.
    package func isOver(now: UInt64 = RecordingClock.nanoseconds()) -> Bool { deadline.map { now >= $0 } ?? false }

    /// The time of the next scenario, in nanoseconds.
    ///
    /// - Parameters:
    ///   - waiting: the number of scenarios that are to share what is left, with this one.
    ///   - isFirst: whether they are searched for the first time.
    package func share(of waiting: Int, isFirst: Bool, now: UInt64 = RecordingClock.nanoseconds()) -> UInt64 {
        guard let deadline else { return most }
        let left = deadline > now ? deadline - now : 0
        // The processes finish this many scenarios each, one after the other.
        let turns = UInt64(max(1, (waiting + jobs - 1) / jobs))
        return min(most, max(Self.least, left / turns / (isFirst ? 2 : 1)))
    }

    /// Whether a scenario should be searched again.
    ///
    /// - Parameters:
    ///   - had: its time before, in nanoseconds.
    ///   - waiting: the number of such scenarios.
    func isWorthRepeating(_ had: UInt64, waiting: Int, now: UInt64 = RecordingClock.nanoseconds()) -> Bool {
        guard isLimited, had < most else { return false }
        return share(of: waiting, isFirst: false, now: now) >= had + had / 2
    }
}
