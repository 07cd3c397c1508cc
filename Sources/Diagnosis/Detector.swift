import Trace

/// Reads the events of a run in order, and reports findings.
///
/// A detector sees only events, so the same code runs alongside the program, after it, and over a saved trace. It takes
/// about the same time for each event, and its memory is bounded by the threads, objects and source lines of the run,
/// not by its length.
package protocol Detector {
    mutating func consume(_ event: Event)

    /// Consumes the events in order. One call through a protocol is cheaper than one per event.
    mutating func consume(_ events: ArraySlice<Event>)

    /// The findings in the events so far, most severe first.
    ///
    /// - Parameter names: turns the events' numbers into names.
    func findings(in names: Names) -> [Finding]
}

extension Detector {
    package mutating func consume(_ events: ArraySlice<Event>) {
        for event in events { consume(event) }
    }
}
