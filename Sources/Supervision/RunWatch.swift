import Trace

/// What looks at a run on real threads while it runs. It reads what the run has recorded, as the supervisor does, so
/// the run does not notice.
package struct RunWatch {
    /// The time between two looks, in nanoseconds.
    package var period: UInt64
    /// Receives all events, in batches.
    package var consume: ((ArraySlice<Event>) -> Void)?
    /// Receives what the scenario prints. Nil: that goes to standard error.
    package var output: (([UInt8]) -> Void)?
    /// Called once in each period.
    package var show: (RunProgress) -> Void
    /// Called when the process has ended, after the last event.
    package var finish: ((RunProgress) -> Void)?

    package init(every period: UInt64, show: @escaping (RunProgress) -> Void) {
        self.period = period
        self.show = show
    }
}
