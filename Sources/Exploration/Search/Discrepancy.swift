import Machine

/// Where an execution that was repeated with the same choices did something else.
package struct Discrepancy: Equatable, Sendable {
    /// A step that a thread was about to take.
    package struct Step: Equatable, Sendable {
        package let thread: Int
        package let operation: Operation

        package init(thread: Int, operation: Operation) {
            self.thread = thread
            self.operation = operation
        }
    }

    /// Which step it was, from 1.
    package let number: Int
    /// What was done first, and what then. Nil: there was no such step.
    package let first: Step?
    package let second: Step?

    package init(number: Int, first: Step?, second: Step?) {
        self.number = number
        self.first = first
        self.second = second
    }
}
