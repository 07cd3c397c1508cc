import Trace

/// Reads the events of a run in order, and reports findings.
///
/// A detector sees only events and what follows from them, so the same code runs alongside the program, after it, and
/// over a saved trace. Each event takes about the same time. Memory is bounded by the threads, objects and source lines
/// of the run, not by its length; in addition, failures are kept and, under a weaker memory model, all operations on
/// atomics.
///
/// A new detector also needs an explanation (`Explanation`) and a row in the table of codes (`FindingCode`).
package protocol Detector {
    /// - Parameter run: the run's state after the event.
    mutating func consume(_ event: Event, _ run: RunState)

    /// The findings in the events so far.
    ///
    /// - Parameters:
    ///   - names: turns the events' numbers into names.
    ///   - run: the run's state after the last event.
    func findings(in names: Names, _ run: RunState) -> [Finding]
}

extension Detector {
    /// Consumes a whole run, with a state of its own.
    ///
    /// - Returns: the run's state after the last event.
    @discardableResult package mutating func consume(all events: [Event]) -> RunState {
        var run = RunState()
        for event in events {
            run.consume(event)
            consume(event, run)
        }
        return run
    }
}
