import Glibc

/// Runs of a program before anything is looked for, in processes that may crash or hang: what they leave is in memory that they share with
/// this process.
package enum PreparatoryRuns {
    /// The time that all of them together may take, in nanoseconds of the processes' own.
    private static let mostTime: UInt64 = 10_000_000_000
    /// That of one process in which nothing happens.
    private static let mostStuck: UInt64 = 1_000_000_000

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Parameters:
    ///   - count: the number of runs, at most.
    ///   - enough: the number of runs in a row that have brought nothing new, after which there are no more.
    ///   - deadline: when they are ended, and what is left of the command is for what follows.
    ///   - isOver: whether they have shown that more are of no use.
    ///   - run: one of them, from number 0 on. Returns whether it has brought something new.
    package static func run(
        atMost count: Int, enough: Int, until deadline: Deadline, unless isOver: () -> Bool = { false },
        _ run: (Int) -> Bool
    ) throws(SupervisionFailed) {
        let memory = try SharedMemory(size: 2 * MemoryLayout<Int>.size, for: "the preparation")
        let words = memory.bytes.bindMemory(to: Int.self)
        let signals = BlockedSignals([])
        let choices = try SharedChoices(capacity: 0)
        var left = mostTime
        // A run that ends its process is not repeated, and has brought nothing.
        func isEnough() -> Bool { words[0] >= count || words[1] >= enough || deadline.isOver || isOver() }
        while left > 0 && !isEnough() {
            let process = try WatchedProcess(for: "the preparation", choices, signals) { _ in
                while !isEnough() {
                    words[0] += 1
                    words[1] = run(words[0] - 1) ? 0 : words[1] + 1
                }
            }
            left -= min(left, try Self.time(of: process, words, atMost: left, until: deadline))
            if words[0] < count && words[1] < enough { words[1] += 1 }
        }
    }

    /// Waits for the end of the process, and ends it if it takes too long, or stands still.
    ///
    /// - Returns: the time that it has taken.
    private static func time(
        of started: WatchedProcess, _ words: UnsafeMutableBufferPointer<Int>, atMost limit: UInt64,
        until deadline: Deadline
    ) throws(SupervisionFailed) -> UInt64 {
        var process = started
        var last = (run: words[0], time: UInt64(0))
        while true {
            let time = process.ownTime()
            if WatchedProcess.awaitNews(of: [process])[0] {
                do throws(DamagedMessage) {
                    if try process.receive({ _ in }) { continue }
                } catch {
                    process.end()
                    return time
                }
                process.reap()
                return time
            }
            if words[0] != last.run { last = (words[0], time) }
            if deadline.isOver || time > limit || time - last.time > mostStuck {
                process.end()
                return time
            }
        }
    }
}
