import Exploration

/// What became of many runs.
package struct RepetitionResult: Sendable {
    package var tally = OutcomeTally()
    /// The signal that ended it early.
    package var signal: Int32?
    /// Whether runs in one process differ from the same runs in processes of their own. Nothing was counted then.
    package var isUnrepeatable = false
}
