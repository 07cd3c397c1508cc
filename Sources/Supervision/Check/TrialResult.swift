import Diagnosis
import Trace

/// The evidence gathered about one scenario.
package struct TrialResult: Sendable {
    /// One for each requested runtime, the controlled one first.
    package var evidence: [Evidence]
    /// The traces that the plan keeps, as saved traces: of the first run, on each runtime, with each outcome that is not allowed.
    package var traces: [KeptTrace] = []
    /// In nanoseconds of real time.
    package var duration: UInt64
    /// What went wrong with threadlab itself.
    package var failure: String?

    package struct KeptTrace: Sendable {
        package let runtime: TraceHeader.Runtime
        package let kind: OutcomeKind
        /// Of its file.
        package let content: [UInt8]
    }
}
