import Trace

/// What became of a native run.
package struct NativeResult: Equatable, Sendable {
    /// Nothing went wrong: the main thread returned, or every thread ended by itself.
    package var isComplete: Bool
    /// Threads that did not leave when the run had ended: their code never calls a primitive, or blocks elsewhere.
    package var unresponsive: [ThreadID]
}
