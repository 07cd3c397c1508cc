import Machine

/// Where an execution that was repeated with the same choices behaved differently.
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

    /// The step's number, from 1.
    package let number: Int
    /// The step of the first and of the second time. Nil: there was no such step.
    package let first: Step?
    package let second: Step?

    package init(number: Int, first: Step?, second: Step?) {
        self.number = number
        self.first = first
        self.second = second
    }
}

extension Discrepancy: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        let start = "an execution was repeated with the same choices, and"
        guard first != nil || second != nil else { return "\(start) ended differently" }
        let steps = [first, second].map { $0?.description ?? "none" }
        return "\(start) step \(number) was different: \(steps[0]) the first time, \(steps[1]) the second time"
    }

    /// What may be the reason.
    package static let advice =
        "The scenario depends on something else: dates, addresses, random numbers, or state left by an earlier execution."
}

extension Discrepancy.Step: CustomStringConvertible {
    package var description: String {
        let object = operation.object == 0 ? "" : " of object \(operation.object)"
        let value = operation.a == 0 ? "" : " with \(operation.a)"
        return "'\(operation.kind)'\(object)\(value) by thread \(thread)"
    }
}
