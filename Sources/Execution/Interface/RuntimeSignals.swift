import Trace

/// The run's one signal, which a process sends to itself, and which any of its threads may get.
///
/// Handlers run between two operations, not between two instructions: what a thread does inside an operation, recording
/// included, could not be interrupted safely.
package protocol RuntimeSignals: AnyObject {
    /// What a thread that does not block the signal does before each of its operations: it looks whether it has
    /// got the signal.
    ///
    /// - Returns: false if the run has its handler already.
    func installSignal(_ hook: any StepHook) -> Bool

    /// Whether the signal is not delivered to the calling thread. Threads that it creates inherit this.
    var blocksSignal: Bool { get set }

    /// - Parameter pending: a semaphore, which counts the signals that no thread has got where signals are modelled.
    func sendSignal(_ pending: RuntimeObject, at site: SourceSite) throws

    /// Whether the calling thread gets the signal now, between two operations.
    func takeSignal(_ pending: RuntimeObject) throws -> Bool

    /// Waits until the signal is pending, and takes it (POSIX `sigwait`).
    func waitForSignal(_ pending: RuntimeObject, at site: SourceSite) throws
}
