import Trace

/// Reads the events of a run in their order, and tells what it found.
///
/// A detector sees nothing but events, so the same code runs beside the program, after it, and over a saved trace. It takes
/// about the same time for each event, however many came before, and its memory is bounded by the threads, objects and source
/// lines of the run, not by its length.
package protocol Detector {
    mutating func consume(_ event: Event)

    /// Consumes one after the other. To be called through a protocol once is cheaper than to be called for each.
    mutating func consume(_ events: ArraySlice<Event>)

    /// What was found in the events so far, the gravest first.
    ///
    /// - Parameter names: turns the events' numbers into names.
    func findings(in names: Names) -> [Finding]
}

extension Detector {
    package mutating func consume(_ events: ArraySlice<Event>) {
        for event in events { consume(event) }
    }
}
