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

extension Discrepancy: CustomStringConvertible {
    /// In a sentence without its full stop.
    package var description: String {
        let start = "an execution was repeated with the same choices, and"
        guard first != nil || second != nil else { return "\(start) ended otherwise" }
        let steps = [first, second].map { $0?.description ?? "none" }
        return "\(start) step \(number) was another: \(steps[0]) the first time, \(steps[1]) then"
    }

    /// What may be the reason.
    package static let advice =
        "The scenario depends on something else: dates, addresses, random numbers, or what an execution before has left."
}

extension Discrepancy.Step: CustomStringConvertible {
    package var description: String {
        let object = operation.object == 0 ? "" : " of object \(operation.object)"
        let value = operation.a == 0 ? "" : " with \(operation.a)"
        return "'\(operation.kind)'\(object)\(value) by thread \(thread)"
    }
}
