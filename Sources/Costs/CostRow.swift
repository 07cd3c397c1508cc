/// What one operation costs, done in several ways, beside what the threading guide says of it.
package struct CostRow: Sendable {
    package enum Unit: String, Sendable { case nanoseconds, bytes }

    package struct Figure: Sendable {
        /// Whose operation it is: `pthread`, `threadlab`, …
        package let contender: String
        package let value: Double
    }

    package let name: String
    package let unit: Unit
    /// The first is what the others are compared with.
    package let figures: [Figure]
    /// What the guide says, in its words. Nil: nothing.
    package let guide: String?
}
