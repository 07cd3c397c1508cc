/// How many steps are shown at a moment: as many as a reader can follow. The first steps are shown at once, up to a
/// screenful; of a busy run some in a row, from time to time, because single steps would not show how threads interact.
struct LivePace {
    private var credit: Int?
    private var last: UInt64 = 0

    /// Steps in a second.
    private static let rate = 16
    /// Steps in a row.
    private static let burst = 8

    /// - Parameters:
    ///   - waiting: the number of steps that could be shown.
    ///   - time: the run's time, in nanoseconds.
    /// - Returns: the number of steps to show now.
    mutating func grant(_ waiting: Int, at time: UInt64, atOnce: Int) -> Int {
        var credit = credit ?? atOnce
        let tick = 1_000_000_000 / UInt64(Self.rate)
        let earned = (time - min(last, time)) / tick
        last += earned * tick
        credit = min(credit + Int(min(earned, 1 << 20)), max(atOnce, Self.burst))
        let count = waiting <= credit ? waiting : credit < Self.burst ? 0 : min(credit, max(atOnce, Self.burst))
        self.credit = credit - count
        return count
    }
}
