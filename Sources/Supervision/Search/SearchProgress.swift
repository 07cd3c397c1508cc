import Exploration

/// How far a search has come.
package struct SearchProgress: Sendable {
    package let counts: SearchCounts
    package let findings: Int
    /// In nanoseconds.
    package let elapsed: UInt64
}
