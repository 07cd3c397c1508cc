import Diagnosis

/// What has been gathered about one scenario.
package struct TrialResult: Sendable {
    /// Of each runtime that was asked for, the controlled one first.
    package var evidence: [Evidence]
    /// In nanoseconds of real time.
    package var duration: UInt64
    /// What went wrong with threadlab itself.
    package var failure: String?
}
