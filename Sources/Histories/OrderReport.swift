/// Explains in text why a history violates a criterion: shows the nearest legal order, in which the fewest calls have
/// returned something other than the model's answer, and which calls these are.
package struct OrderReport {
    package let lines: [String]

    /// - Parameters:
    ///   - order: the nearest legal order. Nil: there is none.
    ///   - names: the threads' names.
    ///   - operation: the text of a call.
    ///   - answer: the text of an answer; empty if there is nothing to show.
    package init<Operation, Answer>(
        _ history: History<Operation, Answer>, _ order: History<Operation, Answer>.Order?, _ criterion: Criterion,
        names: [String], operation: (Operation) -> String, answer: (Operation, Answer) -> String
    ) {
        let verdict = "Not \(criterion.rawValue): no legal order of the calls has these results."
        guard let order else {
            lines = [
                verdict, "In each such order a call has to wait that has returned, or a call returns that is waiting.",
            ]
            return
        }
        let width = names.map(\.count).max() ?? 0
        let steps = order.steps.enumerated().map { index, step in
            let name = names[step.place.thread]
            let call = history[step.place]
            let words = answer(call.operation, step.answer)
            var line = "  \(index + 1). \(name)\(String(repeating: " ", count: width - name.count))  "
            line += operation(call.operation) + (words.isEmpty ? "" : " → \(words)")
            guard step.isOtherwise, let found = call.answer.map({ answer(call.operation, $0) }) else { return line }
            return line + "   instead of " + (found.isEmpty ? "nothing" : found)
        }
        lines = [verdict, "The nearest legal order:"] + steps
    }
}
