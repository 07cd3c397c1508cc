import Glibc

/// Runs a program before it is searched, in processes that may crash or hang. A compiled program is run to find out
/// which accesses of memory must be steps. The caller's closure leaves what it finds out in memory that it shares with
/// these processes.
package enum PreparatoryRuns {
    /// The maximum time of all runs together, in nanoseconds in which their processes compute or sleep.
    private static let mostTime: UInt64 = 10_000_000_000
    /// The maximum time of one run, in nanoseconds in which its process computes or sleeps.
    private static let mostStuck: UInt64 = 1_000_000_000

    /// The shared words: the number of runs that were begun, and the number of consecutive runs without anything new.
    private enum Word {
        static let begun = 0
        static let quiet = 1
        static let count = 2
    }

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Parameters:
    ///   - count: the maximum number of runs.
    ///   - enough: the number of consecutive runs without anything new after which no more follow.
    ///   - deadline: when the runs are ended, to leave time for the rest of the command.
    ///   - isOver: whether earlier runs have shown that more are useless.
    ///   - run: does the run with this number, from 0. Returns whether it found something new.
    package static func run(
        atMost count: Int, enough: Int, until deadline: Deadline, unless isOver: () -> Bool = { false },
        _ run: (Int) -> Bool
    ) throws(SupervisionFailed) {
        let memory = try SharedMemory(size: Word.count * MemoryLayout<Int>.size, for: "the preparation")
        let words = memory.bytes.bindMemory(to: Int.self)
        // No signals are blocked, and no choices are logged.
        let signals = BlockedSignals([])
        let choices = try SharedChoices(capacity: 0)
        var left = mostTime
        func hasEnough() -> Bool { words[Word.begun] >= count || words[Word.quiet] >= enough }
        func isEnough() -> Bool { hasEnough() || deadline.isOver || isOver() }
        while left > 0 && !isEnough() {
            let process = try WatchedProcess(for: "the preparation", choices, signals) { _ in
                while !isEnough() {
                    words[Word.begun] += 1
                    words[Word.quiet] = run(words[Word.begun] - 1) ? 0 : words[Word.quiet] + 1
                }
            }
            left -= min(left, try Self.time(of: process, words, atMost: left, until: deadline))
            // A run that ended its process is not repeated, and counts as one without anything new.
            if !hasEnough() { words[Word.quiet] += 1 }
        }
    }

    /// Waits for the end of the process, and kills it if it, or one of its runs, takes too long.
    ///
    /// - Returns: the time in which the process computed or slept, in nanoseconds.
    private static func time(
        of started: WatchedProcess, _ words: UnsafeMutableBufferPointer<Int>, atMost limit: UInt64,
        until deadline: Deadline
    ) throws(SupervisionFailed) -> UInt64 {
        var process = started
        var last = (run: words[Word.begun], time: UInt64(0))
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
            if words[Word.begun] != last.run { last = (words[Word.begun], time) }
            if deadline.isOver || time > limit || time - last.time > mostStuck {
                process.end()
                return time
            }
        }
    }
}
