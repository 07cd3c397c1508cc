import Machine

/// Where a run could not follow a schedule: the schedule's choice, and the choices that were possible.
package struct Divergence {
    package enum Due {
        /// One of these threads must take the next step.
        case thread(of: [Int])
        /// The step that was begun has this number of alternatives.
        case way(of: Int)
    }

    /// The position of the choice in the schedule, from 1.
    package let number: Int
    let wanted: Schedule.Choice
    let due: Due

    /// One sentence, without its full stop.
    ///
    /// - Parameter name: a thread's name; nil if there is no such thread.
    package func description(name: (Int) -> String?) -> String {
        func thread(_ index: Int) -> String { "\(index)" + (name(index).map { " (\($0))" } ?? "") }
        let wish = wanted.isAlternative ? "=\(wanted.index)" : "thread \(thread(wanted.index))"
        switch due {
        case .thread(let threads):
            let possible = threads.map(thread).joined(separator: " or ")
            guard !wanted.isAlternative else {
                return "choice \(number) is \(wish), an alternative of a step, where thread \(possible) must step"
            }
            let why = name(wanted.index) == nil ? "there is no such thread" : "it cannot step there"
            return "choice \(number) is \(wish), but \(why): thread \(possible) can"
        case .way(let count):
            return "choice \(number) is \(wish), but the step has \(count) alternatives, =0 to =\(count - 1)"
        }
    }
}
