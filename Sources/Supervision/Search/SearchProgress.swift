import Exploration

/// The progress of a search.
package struct SearchProgress: Sendable {
    package let counts: SearchCounts
    package let findings: Int
    /// The number of distinct traces among random executions, and the probability that another one is new. Nil: too few
    /// executions.
    package let sample: (count: Int, chanceOfNew: Double)?
    /// In nanoseconds.
    package let elapsed: UInt64
}
