import Exploration

/// How far a search has come.
package struct SearchProgress: Sendable {
    package let counts: SearchCounts
    package let findings: Int
    /// How many different traces random executions have shown, and how probable it is that another one shows a new one. Nil:
    /// too few to say.
    package let sample: (count: Int, chanceOfNew: Double)?
    /// In nanoseconds.
    package let elapsed: UInt64
}
