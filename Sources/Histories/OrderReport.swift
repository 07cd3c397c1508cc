/// Why a history violates a criterion: the nearest legal order of its calls, and which of them have returned something
/// else.
package struct OrderReport {
    package let lines: [String]

    /// - Parameters:
    ///   - order: the nearest legal order. Nil: there is none.
    ///   - names: those of the threads.
    ///   - operation: a call as it is written.
    ///   - answer: an answer as it is written; empty if there is nothing to say.
    package init<Operation, Answer>(
        _ history: History<Operation, Answer>, _ order: History<Operation, Answer>.Order?, _ criterion: Criterion,
        names: [String], operation: (Operation) -> String, answer: (Answer) -> String
    ) {
        let verdict = "Not \(criterion.rawValue): these results fit no order of the calls \(criterion.condition)."
        guard let order else {
            lines = [
                verdict, "In each such order a call has to wait that has returned, or a call returns that is waiting.",
            ]
            return
        }
        let width = names.map(\.count).max() ?? 0
        let steps = order.steps.enumerated().map { index, step in
            let name = names[step.place.thread]
            let words = answer(step.answer)
            var line = "  \(index + 1). \(name)\(String(repeating: " ", count: width - name.count))  "
            line += operation(history[step.place].operation) + (words.isEmpty ? "" : " → \(words)")
            guard step.isOtherwise, let found = history[step.place].answer.map(answer) else { return line }
            return line + "   instead of " + (found.isEmpty ? "nothing" : found)
        }
        lines = [verdict, "The nearest legal order:"] + steps
    }
}

extension Criterion {
    /// The end of a sentence about an order of calls.
    fileprivate var condition: String {
        switch self {
        case .linearizability: "in which each call that has returned comes before those that begin later"
        case .sequentialConsistency: "that keeps those of each thread in order"
        case .quiescentConsistency: "that keeps those in order between which no call was open at some moment"
        }
    }
}
