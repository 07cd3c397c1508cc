import Machine
import Trace

/// Why nothing that a search shows about a program means much: its executions are not decided by their choices alone.
package enum Discrepancy: Equatable, Sendable {
    /// An execution was repeated with the same choices, and behaved differently.
    case repetition(Difference)
    /// A thread that is not under the scheduler's control used an object of an execution: a sentence without its full
    /// stop.
    case foreignThread(String)

    /// Where an execution that was repeated with the same choices behaved differently.
    package struct Difference: Equatable, Sendable {
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

    /// A step that a thread was about to take.
    package struct Step: Equatable, Sendable {
        package let thread: Int
        package let operation: Operation

        package init(thread: Int, operation: Operation) {
            self.thread = thread
            self.operation = operation
        }
    }

    package init(number: Int, first: Step?, second: Step?) {
        self = .repetition(Difference(number: number, first: first, second: second))
    }
}

extension Discrepancy: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .repetition(let difference): "\(difference)"
        case .foreignThread(let sentence): sentence
        }
    }

    /// What kind of program it is, in two words.
    package var heading: String {
        switch self {
        case .repetition: "not repeatable"
        case .foreignThread: "not controllable"
        }
    }

    /// What may be the reason, or what to do.
    package var advice: String {
        switch self {
        case .repetition: Self.repetitionAdvice
        case .foreignThread: ForeignThreadWords.advice
        }
    }

    /// What may be the reason why an execution ends differently when it is repeated.
    package static let repetitionAdvice =
        "The scenario depends on something else: dates, addresses, random numbers, or state left by an earlier execution."
}

extension Discrepancy.Difference: CustomStringConvertible {
    package var description: String {
        let start = "an execution was repeated with the same choices, and"
        guard first != nil || second != nil else { return "\(start) ended differently" }
        let steps = [first, second].map { $0?.description ?? "none" }
        return "\(start) step \(number) was different: \(steps[0]) the first time, \(steps[1]) the second time"
    }
}

extension Discrepancy.Step: CustomStringConvertible {
    package var description: String {
        let object = operation.object == 0 ? "" : " of object \(operation.object)"
        let value = operation.a == 0 ? "" : " with \(operation.a)"
        return "'\(operation.kind)'\(object)\(value) by thread \(thread)"
    }
}
