import Diagnosis

/// The evidence gathered about one scenario.
package struct TrialResult: Sendable {
    /// One for each requested runtime, the controlled one first.
    package var evidence: [Evidence]
    /// In nanoseconds of real time.
    package var duration: UInt64
    /// What went wrong with threadlab itself.
    package var failure: String?
}
