import Diagnosis
import Trace
import Views

/// A view of a run on real threads in progress: its latest steps as growing lanes, and a line for each thread, which
/// changes in place.
///
/// Events are fed to it as they are read, and lines are requested from time to time. It is independent of terminals and
/// clocks, and its memory grows with threads and objects, not with events.
package struct LiveView {
    private var state = RunMoment()
    private var lanes: LiveLanes
    private var pace = LivePace()
    private let options: ReportOptions

    package init(color: Bool, ascii: Bool) {
        options = ReportOptions(color: color, ascii: ascii)
        lanes = LiveLanes(options)
    }

    /// The number of events that are kept because they have been neither shown nor counted as left out.
    var pendingCount: Int { lanes.pendingCount }

    /// Takes the next events of the run.
    package mutating func consume(_ events: ArraySlice<Event>) {
        for event in events { state.consume(event) }
        lanes.consume(events)
    }

    /// The latest steps, a line for each. If the run is too fast for a reader, only some are shown, and the others are
    /// counted.
    ///
    /// - Parameters:
    ///   - names: a trace with at least the threads, objects and places of the events so far.
    ///   - time: the current time of the run.
    ///   - size: the size of the screen. Each line is narrower.
    ///   - isLast: whether the run has ended, so that up to a screenful is shown.
    package mutating func steps(
        _ names: TraceDocument, at time: UInt64, on size: ScreenSize, isLast: Bool = false
    ) -> [String] {
        let waiting = lanes.waiting(names)
        let count = isLast ? min(waiting, size.rows) : pace.grant(waiting, at: time, atOnce: size.rows)
        return count == 0 && !isLast ? [] : lanes.take(count, names, width: size.columns - 1)
    }

    /// A line about the run, and one for each living thread. If they need more than half of the screen (on a small one,
    /// more than six lines), threads for which others wait come first, then the longest waits, and the others are
    /// counted.
    package func threads(_ names: TraceDocument, at time: UInt64, on size: ScreenSize) -> [String] {
        let most = max(1, min(size.rows - 1, max(size.rows / 2, 6)))
        return LiveThreads(state: state, names: names, time: time, options: options)
            .lines(most: most, width: size.columns - 1)
    }
}

/// The size of a terminal's screen.
package struct ScreenSize: Equatable, Sendable {
    package var rows: Int
    package var columns: Int

    package init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
    }
}

/// The number of steps to show at a moment: as many as a reader can follow. The first steps are shown at once, up to a
/// screenful. In a busy run a few consecutive steps are shown from time to time, because single steps would not show
/// how threads interact.
struct LivePace {
    /// The number of steps that may be shown now. It grows with time. Nil: nothing has been shown.
    private var credit: Int?
    /// The run's time up to which credit has been added, in nanoseconds.
    private var last: UInt64 = 0

    /// The number of steps that a reader can follow in a second.
    private static let rate = 16
    /// In a busy run, the minimum number of consecutive steps that are shown together.
    private static let burst = 8

    /// - Parameters:
    ///   - waiting: the number of steps that could be shown.
    ///   - time: the run's time, in nanoseconds.
    ///   - atOnce: the number of steps that fill the screen.
    /// - Returns: the number of steps to show now.
    mutating func grant(_ waiting: Int, at time: UInt64, atOnce: Int) -> Int {
        var credit = credit ?? atOnce
        let tick = 1_000_000_000 / UInt64(Self.rate)
        let earned = (time - min(last, time)) / tick
        last += earned * tick
        // Clamped first, so that the sum cannot overflow.
        credit = min(credit + Int(min(earned, 1 << 20)), max(atOnce, Self.burst))
        // If not all waiting steps can be shown, there are none until the credit suffices for a burst.
        let count = waiting <= credit ? waiting : credit < Self.burst ? 0 : min(credit, max(atOnce, Self.burst))
        self.credit = credit - count
        return count
    }
}
