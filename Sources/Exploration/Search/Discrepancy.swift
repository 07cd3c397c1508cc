/// Where an execution that was repeated with the same choices did something else.
package struct Discrepancy: Equatable, Sendable {
    /// Which step it was, from 1. Nil: the steps were the same, and the end was not.
    package let step: Int?
    /// What was done first, and what then.
    package let first: String
    package let second: String

    package init(step: Int?, first: String, second: String) {
        self.step = step
        self.first = first
        self.second = second
    }
}
