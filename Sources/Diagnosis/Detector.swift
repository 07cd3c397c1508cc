import Trace

/// Reads the events of a run, one at a time and in their order, and tells what it found.
///
/// A detector sees nothing but events, so the same code runs beside the program, after it, and over a saved trace. What it
/// finds is an `Outcome`: what happened in one sentence, and the story in threads, objects and source lines.
package protocol Detector {
    mutating func consume(_ event: Event)

    /// What was found in the events so far, the gravest first.
    ///
    /// - Parameter words: turns the events' numbers into names.
    func findings(in words: Words) -> [Outcome]
}
